// The list of moves, and the buttons that step through them.

import { el, svg } from './dom.js';
import { applyMove, moveNumber, readFen } from './fen.js';
import { t } from './i18n.js';

const PLY_STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The moves of a game. Calls `onSelect(ply)` when somebody wants to see the position after so many plies. */
export class MoveList {
  constructor(node, onSelect) {
    this.node = node;
    this.onSelect = onSelect;
    this.buttons = [];
    this.sans = [];
    this.selectedPly = 0;
    // What comes below may leave the list less room: the selected move stays in sight.
    new ResizeObserver(() => this.select(this.selectedPly)).observe(node);
    node.addEventListener('keydown', (event) => {
      if (!(event.key in PLY_STEPS)) return;
      const index = this.buttons.indexOf(document.activeElement);
      const next = this.buttons[index + PLY_STEPS[event.key]];
      if (index < 0 || !next) return;
      event.preventDefault();
      event.stopPropagation();
      next.focus();
      this.onSelect(this.buttons.indexOf(next) + 1);
    });
  }

  /** Shows the moves of a game, and selects one. */
  update(model, selectedPly) {
    let same = 0;
    const { history } = model;
    while (same < history.length && same < this.sans.length && this.sans[same] === history[same].san) same += 1;
    while (this.buttons.length > same) this.removeLast();
    for (let ply = same; ply < history.length; ply += 1) this.append(model, ply);
    this.select(selectedPly);
  }

  removeLast() {
    const button = this.buttons.pop();
    this.sans.pop();
    const item = button.parentElement;
    button.remove();
    if (!item.querySelector('button')) item.remove();
  }

  append(model, ply) {
    const { san, move, lag } = model.history[ply];
    const { number, isBlack } = moveNumber(model.startFen, ply);
    const explodedCount = applyMove(readFen(model.fenAfter(ply)).pieces, move, model.variant).exploded.length;
    const title = lag ? { title: t('lagGivenBack', { seconds: (lag / 1000).toFixed(2) }) } : {};
    const button = el('button', { type: 'button', ...title, onclick: () => this.onSelect(ply + 1) }, san,
      explodedCount ? el('span', { class: 'exploded-count', 'aria-hidden': 'true' }, `✸${explodedCount}`) : null);
    let item = this.node.lastElementChild;
    if (!isBlack || !item) {
      item = el('li', {}, el('span', { class: 'number' }, `${number}.`), isBlack ? el('span', { class: 'no-move' }, '…') : null);
      this.node.append(item);
    }
    item.append(button);
    this.buttons.push(button);
    this.sans.push(san);
  }

  /** Marks the move of a ply, and scrolls to it. */
  select(ply) {
    this.selectedPly = ply;
    this.buttons.forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    const current = this.buttons[ply - 1];
    const list = this.node;
    if (!current) {
      list.scrollTop = 0;
      list.scrollLeft = 0;
      return;
    }
    // Only the list itself scrolls, never the page.
    const [inner, outer] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    if (inner.left < outer.left || inner.right > outer.right) list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
}

const ICON_PATHS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', previous: 'M12 3v10L4 8z', next: 'M4 3l8 5-8 5z', last: 'M11 3h2v10h-2zM3 3l7 5-7 5z',
  autoplay: 'M2 3l6 5-6 5zM8 3l6 5-6 5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', export: 'M7 2h2v6h2.5L8 12 4.5 8H7zM2 11h2v2h8v-2h2v4H2z',
};

/** An icon for a button, drawn here so that no font is needed. */
export const icon = (name) => svg('svg', { viewBox: '0 0 16 16', class: 'svg-icon', 'aria-hidden': 'true' }, svg('path', { d: ICON_PATHS[name] }));

/** The buttons that step through moves; `actions` has `first`, `previous`, `next`, `last`. */
export function stepButtons(actions) {
  const button = (name) => el('button', { type: 'button', 'aria-label': t(name), title: t(name), onclick: actions[name] }, icon(name));
  return ['first', 'previous', 'next', 'last'].map(button);
}
