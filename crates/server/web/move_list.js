// The list of moves, and the buttons that step through them.

import { el, svg } from './dom.js';
import { numbering, play, read } from './fen.js';
import { t } from './i18n.js';

/** The moves of a game; `goes(ply)` when somebody wants to see the position after so many plies. */
export class Moves {
  constructor(listNode, goes) {
    this.node = listNode;
    this.goes = goes;
    this.buttons = [];
    this.sans = [];
    this.shown = 0;
    // What comes below may leave the list less room: the move that is shown stays in sight.
    new ResizeObserver(() => this.look(this.shown)).observe(listNode);
    listNode.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
      if (!(event.key in steps)) return;
      const here = this.buttons.indexOf(document.activeElement);
      const next = this.buttons[here + steps[event.key]];
      if (here < 0 || !next) return;
      event.preventDefault();
      event.stopPropagation();
      next.focus();
      this.goes(this.buttons.indexOf(next) + 1);
    });
  }

  /** Shows the game of a model, with the ply that is looked at. */
  set(model, shown) {
    let same = 0;
    const { history } = model;
    while (same < history.length && same < this.sans.length && this.sans[same] === history[same].san) same += 1;
    while (this.buttons.length > same) this.drop();
    for (let ply = same; ply < history.length; ply += 1) this.add(model, ply);
    this.look(shown);
  }

  drop() {
    const button = this.buttons.pop();
    this.sans.pop();
    const item = button.parentElement;
    button.remove();
    if (!item.querySelector('button')) item.remove();
  }

  add(model, ply) {
    const { san, move, lag } = model.history[ply];
    const { number, isBlack } = numbering(model.startFen, ply);
    const dead = play(read(model.fenAfter(ply)).men, move, model.variant).blast.length;
    const title = lag ? { title: t('lagGivenBack', { seconds: (lag / 1000).toFixed(2) }) } : {};
    const button = el('button', { type: 'button', ...title, onclick: () => this.goes(ply + 1) }, san,
      dead ? el('span', { class: 'dead', 'aria-hidden': 'true' }, `✸${dead}`) : null);
    let item = this.node.lastElementChild;
    if (!isBlack || !item) {
      item = el('li', {}, el('span', { class: 'number' }, `${number}.`), isBlack ? el('span', { class: 'gap' }, '…') : null);
      this.node.append(item);
    }
    item.append(button);
    this.buttons.push(button);
    this.sans.push(san);
  }

  look(shown) {
    this.shown = shown;
    this.buttons.forEach((button, index) => {
      if (index + 1 === shown) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    const current = this.buttons[shown - 1];
    const box = this.node;
    if (!current) {
      box.scrollTop = 0;
      box.scrollLeft = 0;
      return;
    }
    // Only the list itself scrolls, never the page.
    const [inner, outer] = [current.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    if (inner.left < outer.left || inner.right > outer.right) box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
}

const SIGNS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', previous: 'M12 3v10L4 8z', next: 'M4 3l8 5-8 5z', last: 'M11 3h2v10h-2zM3 3l7 5-7 5z',
  autoplay: 'M2 3l6 5-6 5zM8 3l6 5-6 5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', keep: 'M7 2h2v6h2.5L8 12 4.5 8H7zM2 11h2v2h8v-2h2v4H2z',
};

/** A sign for a button, drawn here so that no font is needed. */
export const sign = (name) => svg('svg', { viewBox: '0 0 16 16', class: 'sign', 'aria-hidden': 'true' }, svg('path', { d: SIGNS[name] }));

/** The buttons that step; `steps` has `first`, `previous`, `next`, `last`. */
export function stepButtons(steps) {
  const button = (name) => el('button', { type: 'button', 'aria-label': t(name), title: t(name), onclick: steps[name] }, sign(name));
  return ['first', 'previous', 'next', 'last'].map(button);
}
