// Games to go on with, to join, to watch: small live boards on the first page.

import { $, el, get, post, show } from './common.js';
import { t } from './words.js';
import { Board } from './board.js';
import { read } from './fen.js';

/** What a list of the server has, under whatever name it is there. */
const rows = (body) => (Array.isArray(body) ? body : body?.games ?? body?.tables ?? body?.seeks ?? []);

const nameOf = (player, color) => (typeof player === 'string' ? player : player?.name) || t(`Colors.${color}`);

function gameRow(game, action) {
  const holder = el('div');
  const board = new Board(holder, { label: t('board'), isSmall: true });
  holder.setAttribute('aria-hidden', 'true');
  holder.inert = true;
  const fen = game.fen ?? game.state?.fen;
  if (fen) board.draw(read(fen).men, { glides: false });
  const id = game.game ?? game.id;
  const names = `${nameOf(game.white ?? game.players?.white, 'white')} – ${nameOf(game.black ?? game.players?.black, 'black')}`;
  const about = [t(`variants.${game.variant ?? game.terms?.variant ?? 'chess'}`), game.time ?? game.terms?.time ?? t('noClock')];
  if (game.plies) about.push(t('moveNumber', { number: (game.plies >> 1) + 1 }));
  if (game.watching) about.push(t('watching', { count: game.watching }));
  return el('li', { 'data-game': id }, holder, el('div', {}, el('p', { class: 'who' }, names), el('p', { class: 'small' }, about.join(' · '))),
    el('a', { class: 'button', href: `/${id}`, 'aria-label': `${action}: ${names}` }, action));
}

function seekRow(seek) {
  const id = seek.seek ?? seek.id ?? seek.game;
  const name = seek.name || t('Colors.white');
  const about = [t(`variants.${seek.variant ?? seek.terms?.variant ?? 'chess'}`), seek.time ?? seek.terms?.time ?? t('noClock')].join(' · ');
  const button = el('button', {
    type: 'button', 'aria-label': `${t('join')}: ${name}`,
    onclick: async () => {
      button.disabled = true;
      try {
        if (seek.game) { location.href = `/${seek.game}`; return; }
        const taken = await post(`/v1/seeks/${id}/take`, {});
        location.href = `/${taken.game}`;
      } catch { button.disabled = false; }
    },
  }, t('join'));
  return el('li', {}, el('span', {}), el('div', {}, el('p', { class: 'who' }, name), el('p', { class: 'small' }, about)), button);
}

async function fill(id, path, row) {
  try {
    const found = rows(await get(path)).slice(0, 6);
    $(id).querySelector('.games').replaceChildren(...found.map(row));
    show($(id), found.length > 0);
  } catch { show($(id), false); }
}

/** Fills the lists, and again every while. */
export async function showLists() {
  await Promise.all([
    fill('yours', '/v1/tables?mine=true&phase=running', (game) => gameRow(game, t('resume'))),
    fill('seeks', '/v1/seeks', seekRow),
    fill('watch', '/v1/tables?phase=running', (game) => gameRow(game, t('watch'))),
  ]);
  setTimeout(() => { if (!document.hidden) showLists(); else document.addEventListener('visibilitychange', () => showLists(), { once: true }); }, 15_000);
}
