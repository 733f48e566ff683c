// The law book as a page, with small boards that show the moves.

import { $, el } from './dom.js';
import { post } from './http.js';
import { errorText, t, translate } from './i18n.js';
import { VARIANTS, fromSquare, readFen, squareIndex } from './fen.js';
import { Board } from './board.js';
import { openSettings } from './settings.js';

const name = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const variant = VARIANTS.includes(name) ? name : 'chess';

translate();
$('settings').addEventListener('click', openSettings);
$('tabs').append(...VARIANTS.map((one) => el('a', { class: 'button', href: `/rules/${one}`, 'aria-current': one === variant ? 'page' : null }, t(`variants.${one}`))));

/** A small board with the squares that a move can go to. */
function exampleBoard({ fen, targets, uci }) {
  const node = el('div');
  const board = new Board(node, { label: t('board'), isSmall: true });
  board.draw(readFen(fen).pieces, { isAnimated: false });
  const squares = (targets ?? []).map(squareIndex);
  const { pieces } = board;
  board.mark({
    target: squares.filter((index) => pieces[index] === ''),
    'capture-target': squares.filter((index) => pieces[index] !== ''),
    selected: uci ? [fromSquare(uci)] : [],
  });
  node.inert = true;
  return el('a', { href: `/arbiter?${new URLSearchParams({ variant, fen, ...(uci ? { move: uci } : {}) })}`, 'aria-label': t('askArbiter') }, node);
}

const SEARCH_DELAY_MS = 200;

/** The level of the last heading. Levels go down one at a time, also where a search has left out those between. */
let depth = 1;
function section({ level, title, text, source, example, laws }) {
  depth = Math.min(4, Math.max(2, level - 1), depth + 1);
  return el('section', { class: 'law' }, el(`h${depth}`, { lang: 'en' }, title),
    example ? exampleBoard(example) : null,
    text ? el('p', { lang: 'en' }, text, source ? el('span', { class: 'source' }, ` (${source})`) : null) : null,
    laws.length ? el('ul', { lang: 'en' }, laws.map((law) => el('li', {}, law.text, el('span', { class: 'source' }, ` (${law.source})`)))) : null);
}

async function showSections(search) {
  try {
    const book = await post('/arbiter/rules', { variant, ...(search ? { search } : {}) });
    depth = 1;
    $('heading').textContent = book.title;
    document.title = `${book.title} · touchmove`;
    $('book').replaceChildren(...(book.sections.length ? book.sections.map(section) : [el('p', { class: 'lead' }, t('nothingFound'))]));
  } catch (error) {
    $('book').replaceChildren(el('p', { class: 'lead' }, error.status === 404 || error.status === 405 ? t('notHere') : errorText(error)));
  }
}

let searchTimer;
const search = () => showSections($('search-text').value.trim());
$('search-text').addEventListener('input', () => { clearTimeout(searchTimer); searchTimer = setTimeout(search, SEARCH_DELAY_MS); });
$('search').addEventListener('submit', (event) => { event.preventDefault(); search(); });
await showSections('');
document.documentElement.dataset.ready = 'yes';
