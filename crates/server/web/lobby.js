// Games to go on with, to join, to watch: small live boards on the first page, told by the lobby.

import { $, el, show } from './dom.js';
import { del, get, post } from './http.js';
import { storage } from './storage.js';
import { t } from './i18n.js';
import { Board } from './board.js';
import { at, read } from './fen.js';

const MOST = 6;

const nameOf = (player, color) => player?.name || t(`Colors.${color}`);
const names = (game) => `${nameOf(game.white, 'white')} – ${nameOf(game.black, 'black')}`;

/** A row with a small board, which is kept while its game is in the list. */
const boards = new Map();
function watchRow(game) {
  let row = boards.get(game.game);
  if (!row) {
    const holder = el('div', { 'aria-hidden': 'true' });
    holder.inert = true;
    const about = el('p', { class: 'small' });
    const board = new Board(holder, { isSmall: true });
    const item = el('li', {}, holder, el('div', {}, el('p', { class: 'who' }, names(game)), about),
      el('a', { class: 'button', href: `/${game.game}`, 'aria-label': `${t('watch')}: ${names(game)}` }, t('watch')));
    row = { board, about, item };
    boards.set(game.game, row);
  }
  row.board.draw(read(game.fen).men);
  row.board.mark(game.last_move ? { last: [at(game.last_move.slice(0, 2)), at(game.last_move.slice(2, 4))] } : {});
  row.about.textContent = [t(`variants.${game.variant}`), t('moveNumber', { number: (game.plies >> 1) + 1 })].join(' · ');
  return row.item;
}

function plainRow(who, about, action) {
  return el('li', { class: 'plain' }, el('div', {}, el('p', { class: 'who' }, who), el('p', { class: 'small' }, about)), action);
}

function ownRow(game) {
  const about = [t(`variants.${game.variant}`), game.phase === 'waiting' ? t('home.waiting') : t('moveNumber', { number: (game.plies >> 1) + 1 })];
  const link = el('a', { class: 'button', href: `/${game.id}`, 'aria-label': `${t('resume')}: ${names(game)}` }, t('resume'));
  return plainRow(names(game), about.join(' · '), link);
}

function openRow(game) {
  const host = game.white?.name ?? game.black?.name ?? t('Colors.white');
  const link = el('a', { class: 'button', href: `/${game.id}`, 'aria-label': `${t('join')}: ${host}` }, t('join'));
  return plainRow(host, t(`variants.${game.variant}`), link);
}

function seekRow(seek) {
  const who = seek.by.name;
  const about = [t(`variants.${seek.variant}`), seek.time ?? t('noClock')].join(' · ');
  const button = el('button', {
    type: 'button', 'aria-label': `${t('join')}: ${who}`,
    onclick: async () => {
      button.disabled = true;
      const name = storage.get('name', '');
      try {
        location.href = `/${(await post(`/v1/seeks/${seek.id}/take`, name ? { name } : {})).game}`;
      } catch { button.disabled = false; }
    },
  }, t('join'));
  return plainRow(who, about, button);
}

/** A button that asks the server for something, once. */
function askButton(label, who, action, extra = '') {
  const button = el('button', { type: 'button', class: extra, 'aria-label': `${label}: ${who}`, onclick: async () => {
    button.disabled = true;
    try { await action(); } catch (error) { $('trouble').textContent = error.status ? error.message : t('noServer'); button.disabled = false; }
  } }, label);
  return button;
}

function challengeRow({ id, by, to, direction, variant, time }) {
  const about = [t(`variants.${variant}`), time ?? t('noClock')].join(' · ');
  if (direction === 'out') {
    return plainRow(t('home.youChallenge', { name: to.name }), about, askButton(t('home.withdraw'), to.name, () => del(`/v1/challenges/${id}`)));
  }
  return plainRow(t('home.challengesYou', { name: by.name }), about, el('div', { class: 'row' },
    askButton(t('home.accept'), by.name, async () => { location.href = `/${(await post(`/v1/challenges/${id}/accept`, {})).game}`; }, 'main'),
    askButton(t('home.decline'), by.name, () => post(`/v1/challenges/${id}/decline`, {}))));
}

const known = { seeks: [], open: [], own: new Set() };

function fill(id, rows) {
  const isWatch = id === 'watch';
  $(id).querySelector('.games').replaceChildren(...(rows.length || !isWatch ? rows : [el('li', { class: 'plain small' }, t('home.nobody'))]));
  show($(id), isWatch || rows.length > 0);
}

function showOpen() {
  const others = known.seeks.filter((seek) => !known.mine?.has(seek.id)).map(seekRow);
  fill('seeks', [...others, ...known.open.filter((game) => !known.own.has(game.id)).map(openRow)].slice(0, MOST));
}

/** What the lobby says first comes in pieces: it is shown together, so that nothing jumps. */
let early = [];
let tables = null;
function hear(message) {
  if (!early) { tell(message); return; }
  early.push(message);
  if (early.length === 1) {
    setTimeout(async () => {
      await tables;
      const all = early;
      early = null;
      fill('watch', []);
      all.forEach(tell);
    }, 120);
  }
}

function tell(message) {
  if (message.type === 'games') {
    const shown = message.games.slice(0, MOST);
    for (const id of boards.keys()) if (!shown.some((game) => game.game === id)) boards.delete(id);
    fill('watch', shown.map(watchRow));
  }
  if (message.type === 'seeks') {
    known.seeks = message.seeks;
    showOpen();
  }
  if (message.type === 'mine') {
    known.own = new Set(message.games.map((game) => game.id));
    known.mine = new Set(message.seeks);
    fill('yours', [...(message.challenges ?? []).map(challengeRow), ...message.games.slice(0, MOST).map(ownRow)]);
    showOpen();
  }
  if (message.type === 'game' && known.awaits) location.href = `/${message.game}`;
  if (message.type === 'declined') $('news').textContent = message.reason ? t('home.declinedFor', { reason: message.reason }) : t('home.declined');
}

async function lookForTables() {
  try {
    known.open = (await get('/v1/tables?phase=waiting&limit=20')).games ?? [];
    if (!early) showOpen();
  } catch { /* then there are none to show */ }
}

/** Listens to the lobby, and comes back when the connection breaks. */
function listen(delay) {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/v1/lobby/live`);
  socket.addEventListener('message', (event) => { delay = 500; hear(JSON.parse(event.data)); });
  socket.addEventListener('close', () => setTimeout(() => listen(Math.min(20_000, delay * 2)), delay));
}

/** Goes to the next game of one's own that begins. */
export function awaitGame() { known.awaits = true; }

/** Shows the lists from now on. */
export function showLists() {
  tables = lookForTables();
  listen(500);
  setInterval(() => { if (!document.hidden) lookForTables(); }, 10_000);
}
