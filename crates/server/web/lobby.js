// The lists on the first page: games to continue, to join and to watch, with small live boards. They come from the
// lobby's WebSocket.

import { $, el, show } from './dom.js';
import { del, get, post } from './http.js';
import { storage } from './storage.js';
import { errorText, t } from './i18n.js';
import { Board } from './board.js';
import { fromSquare, readFen, toSquare } from './fen.js';

/** The most rows of a list. */
const MAX_ROWS = 6;
/** How long the first messages are collected, so that the lists appear together and nothing jumps. */
const FIRST_MESSAGES_MS = 120;
const TABLES_POLL_INTERVAL_MS = 10_000;
const MIN_RECONNECT_DELAY_MS = 500;
const MAX_RECONNECT_DELAY_MS = 20_000;

const playerName = (player, color) => player?.name || t(`Colors.${color}`);
const playerNames = (game) => `${playerName(game.white, 'white')} – ${playerName(game.black, 'black')}`;

/** The rows with small boards by game. They are reused while the game is in the list. */
const watchRows = new Map();

function watchRow(game) {
  let row = watchRows.get(game.game);
  if (!row) {
    const holder = el('div', { 'aria-hidden': 'true' });
    holder.inert = true;
    const about = el('p', { class: 'small' });
    const board = new Board(holder, { isSmall: true });
    const item = el('li', {}, holder, el('div', {}, el('p', { class: 'player-names' }, playerNames(game)), about),
      el('a', { class: 'button', href: `/${game.game}`, 'aria-label': `${t('watch')}: ${playerNames(game)}` }, t('watch')));
    row = { board, about, item };
    watchRows.set(game.game, row);
  }
  row.board.draw(readFen(game.fen).pieces);
  row.board.mark(game.last_move ? { last: [fromSquare(game.last_move), toSquare(game.last_move)] } : {});
  row.about.textContent = [t(`variants.${game.variant}`), t('moveNumber', { number: (game.plies >> 1) + 1 })].join(' · ');
  return row.item;
}

/** A row without a board. */
function plainRow(names, about, action) {
  return el('li', { class: 'plain' }, el('div', {}, el('p', { class: 'player-names' }, names), el('p', { class: 'small' }, about)), action);
}

function ownGameRow(game) {
  const about = [t(`variants.${game.variant}`), game.phase === 'waiting' ? t('home.waiting') : t('moveNumber', { number: (game.plies >> 1) + 1 })];
  const link = el('a', { class: 'button', href: `/${game.id}`, 'aria-label': `${t('resume')}: ${playerNames(game)}` }, t('resume'));
  return plainRow(playerNames(game), about.join(' · '), link);
}

function openGameRow(game) {
  const host = game.white?.name ?? game.black?.name ?? t('Colors.white');
  const link = el('a', { class: 'button', href: `/${game.id}`, 'aria-label': `${t('join')}: ${host}` }, t('join'));
  return plainRow(host, t(`variants.${game.variant}`), link);
}

function seekRow(seek) {
  const { name: seeker } = seek.by;
  const about = [t(`variants.${seek.variant}`), seek.time ?? t('noClock')].join(' · ');
  const button = el('button', {
    type: 'button', 'aria-label': `${t('join')}: ${seeker}`,
    onclick: async () => {
      button.disabled = true;
      const name = storage.get('name', '');
      try {
        location.href = `/${(await post(`/v1/seeks/${seek.id}/take`, name ? { name } : {})).game}`;
      } catch { button.disabled = false; }
    },
  }, t('join'));
  return plainRow(seeker, about, button);
}

/** A button that sends a request to the server. It stays disabled if the request succeeds. */
function requestButton(label, name, action, className = '') {
  const button = el('button', { type: 'button', class: className, 'aria-label': `${label}: ${name}`, onclick: async () => {
    button.disabled = true;
    try { await action(); } catch (error) { $('error').textContent = errorText(error); button.disabled = false; }
  } }, label);
  return button;
}

function challengeRow({ id, by, to, direction, variant, time }) {
  const about = [t(`variants.${variant}`), time ?? t('noClock')].join(' · ');
  if (direction === 'out') {
    return plainRow(t('home.youChallenge', { name: to.name }), about, requestButton(t('home.withdraw'), to.name, () => del(`/v1/challenges/${id}`)));
  }
  return plainRow(t('home.challengesYou', { name: by.name }), about, el('div', { class: 'row' },
    requestButton(t('home.accept'), by.name, async () => { location.href = `/${(await post(`/v1/challenges/${id}/accept`, {})).game}`; }, 'main'),
    requestButton(t('home.decline'), by.name, () => post(`/v1/challenges/${id}/decline`, {}))));
}

/** What the lobby and the list of tables have said last. */
const lobby = { seeks: [], openGames: [], ownGames: new Set(), ownSeeks: new Set(), isAwaitingGame: false };

function fillList(id, rows) {
  const isWatch = id === 'watch';
  $(id).querySelector('.games').replaceChildren(...(rows.length || !isWatch ? rows : [el('li', { class: 'plain small' }, t('home.nobody'))]));
  show($(id), isWatch || rows.length > 0);
}

function showOpenGames() {
  const seeks = lobby.seeks.filter((seek) => !lobby.ownSeeks.has(seek.id)).map(seekRow);
  const games = lobby.openGames.filter((game) => !lobby.ownGames.has(game.id)).map(openGameRow);
  fillList('seeks', [...seeks, ...games].slice(0, MAX_ROWS));
}

/** The first messages, until they are rendered together; null from then on. */
let firstMessages = [];
let openGamesLoaded = null;

function onMessage(message) {
  if (!firstMessages) { render(message); return; }
  firstMessages.push(message);
  if (firstMessages.length === 1) {
    setTimeout(async () => {
      await openGamesLoaded;
      const messages = firstMessages;
      firstMessages = null;
      fillList('watch', []);
      messages.forEach(render);
    }, FIRST_MESSAGES_MS);
  }
}

function render(message) {
  if (message.type === 'games') {
    const games = message.games.slice(0, MAX_ROWS);
    for (const id of watchRows.keys()) if (!games.some((game) => game.game === id)) watchRows.delete(id);
    fillList('watch', games.map(watchRow));
  }
  if (message.type === 'seeks') {
    lobby.seeks = message.seeks;
    showOpenGames();
  }
  if (message.type === 'mine') {
    lobby.ownGames = new Set(message.games.map((game) => game.id));
    lobby.ownSeeks = new Set(message.seeks);
    fillList('your-games', [...(message.challenges ?? []).map(challengeRow), ...message.games.slice(0, MAX_ROWS).map(ownGameRow)]);
    showOpenGames();
  }
  if (message.type === 'game' && lobby.isAwaitingGame) location.href = `/${message.game}`;
  if (message.type === 'declined') $('news').textContent = message.reason ? t('home.declinedFor', { reason: message.reason }) : t('home.declined');
}

async function loadOpenGames() {
  try {
    lobby.openGames = (await get('/v1/tables?phase=waiting&limit=20')).games ?? [];
    if (!firstMessages) showOpenGames();
  } catch { /* the list stays as it was */ }
}

/** Connects to the lobby, and again after a delay when the connection breaks. */
function connect(delay) {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/v1/lobby/live`);
  socket.addEventListener('message', (event) => { delay = MIN_RECONNECT_DELAY_MS; onMessage(JSON.parse(event.data)); });
  socket.addEventListener('close', () => setTimeout(() => connect(Math.min(MAX_RECONNECT_DELAY_MS, delay * 2)), delay));
}

/** Opens the next of the visitor's own games that begins. */
export function awaitGame() { lobby.isAwaitingGame = true; }

/** Shows the lists, and keeps them up to date. */
export function showLists() {
  openGamesLoaded = loadOpenGames();
  connect(MIN_RECONNECT_DELAY_MS);
  setInterval(() => { if (!document.hidden) loadOpenGames(); }, TABLES_POLL_INTERVAL_MS);
}
