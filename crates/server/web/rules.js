// The law book as a page: what the arbiter's desk says, with small boards that show the moves.

import { $, el } from './dom.js';
import { post } from './http.js';
import { t, translate } from './i18n.js';
import { at, read } from './fen.js';
import { Board } from './board.js';
import { openSettings } from './settings.js';

const VARIANTS = ['chess', 'chess960', 'atomic', 'simple-atomic'];
const chosen = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const variant = VARIANTS.includes(chosen) ? chosen : 'chess';

translate();
$('settings').addEventListener('click', openSettings);
$('tabs').append(...VARIANTS.map((name) => el('a', { class: 'button', href: `/rules/${name}`, 'aria-current': name === variant ? 'page' : null }, t(`variants.${name}`))));

/** A small board with the squares that a move can go to. */
function sample({ fen, targets, uci }) {
  const node = el('div');
  const board = new Board(node, { label: t('board'), isSmall: true });
  board.draw(read(fen).men, { glides: false });
  const squares = (targets ?? []).map(at);
  const { men } = board;
  board.mark({ target: squares.filter((index) => men[index] === ''), prey: squares.filter((index) => men[index] !== ''), selected: uci ? [at(uci.slice(0, 2))] : [] });
  node.inert = true;
  return el('a', { href: `/arbiter?${new URLSearchParams({ variant, fen, ...(uci ? { move: uci } : {}) })}`, 'aria-label': t('askArbiter') }, node);
}

/** Headings go down one step at a time, also where a search has left out what stood between. */
let depth = 1;
function section({ level, title, text, source, example, laws }) {
  depth = Math.min(4, Math.max(2, level - 1), depth + 1);
  return el('section', { class: 'law' }, el(`h${depth}`, { lang: 'en' }, title),
    example ? sample(example) : null,
    text ? el('p', { lang: 'en' }, text, source ? el('span', { class: 'source' }, ` (${source})`) : null) : null,
    laws.length ? el('ul', { lang: 'en' }, laws.map((law) => el('li', {}, law.text, el('span', { class: 'source' }, ` (${law.source})`)))) : null);
}

async function look(search) {
  try {
    const book = await post('/arbiter/rules', { variant, ...(search ? { search } : {}) });
    depth = 1;
    $('heading').textContent = book.title;
    document.title = `${book.title} · touchmove`;
    $('book').replaceChildren(...(book.sections.length ? book.sections.map(section) : [el('p', { class: 'lead' }, t('nothingFound'))]));
  } catch (error) {
    $('book').replaceChildren(el('p', { class: 'lead' }, error.status === 404 || error.status === 405 ? t('notHere') : error.status ? error.message : t('noServer')));
  }
}

let waiting;
$('words').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(() => look($('words').value.trim()), 200); });
$('search').addEventListener('submit', (event) => { event.preventDefault(); look($('words').value.trim()); });
await look('');
document.documentElement.dataset.ready = 'yes';
