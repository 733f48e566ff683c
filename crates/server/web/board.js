// The board: 64 named squares that can be reached by keyboard, the men above them, and a layer for marks.

import { el, prefersReducedMotion, svg } from './dom.js';
import { SQUARES, colorOf } from './fen.js';
import { Art } from './board_overlay.js';
import { t } from './i18n.js';

const CLASSES = ['last', 'check', 'selected', 'target', 'prey', 'evidence', 'planned', 'doomed', 'aim'];

/** The name of a square with what stands there, as it is spoken. */
export function squareName(square, man) {
  return man === '' ? t('emptySquare', { square })
    : t('square', { square, color: t(`colors.${colorOf(man)}`), piece: t(`pieces.${man.toLowerCase()}`) });
}

/** An element that shows a man. */
export const manElement = (man, extra = '') => el('span', { class: `man ${man < 'a' ? 'w' : 'b'}${man.toLowerCase()} ${extra}` });

/** A board that can be looked at. What people do with it is the hand's business. */
export class Board {
  constructor(host, { label = t('board'), isSmall = false } = {}) {
    this.host = host;
    this.men = Array(64).fill('');
    this.figures = new Map();
    this.orientation = 'white';
    this.marks = {};
    host.classList.add('board');
    host.classList.toggle('small', isSmall);
    this.grid = el('div', { role: 'grid', 'aria-label': label, class: 'squares' });
    this.cells = [];
    this.buttons = [];
    for (let row = 0; row < 8; row += 1) {
      const line = el('div', { role: 'row' });
      for (let column = 0; column < 8; column += 1) {
        const button = el('button', { type: 'button', tabindex: '-1' });
        const cell = el('div', { role: 'gridcell' }, button);
        this.cells.push(cell);
        this.buttons.push(button);
        line.append(cell);
      }
      this.grid.append(line);
    }
    this.layer = el('div', { class: 'men', 'aria-hidden': 'true' });
    this.rims = svg('svg', { class: 'rims', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
    this.art = new Art();
    host.replaceChildren(this.grid, this.rims, this.layer, this.art.node);
    this.focused = null;
    this.lay();
  }

  /** Where a square is drawn: column and row from the top left. */
  place(index) {
    const [file, rank] = [index % 8, index >> 3];
    return this.orientation === 'white' ? [file, 7 - rank] : [7 - file, rank];
  }

  /** The square in a column and a row from the top left. */
  squareAt(column, row) {
    return this.orientation === 'white' ? (7 - row) * 8 + column : row * 8 + 7 - column;
  }

  /** The button of a square. */
  button(index) {
    const [column, row] = this.place(index);
    return this.buttons[row * 8 + column];
  }

  /** The square under a point of the window, or -1. */
  squareUnder(x, y) {
    const box = this.grid.getBoundingClientRect();
    const [column, row] = [Math.floor((x - box.left) / box.width * 8), Math.floor((y - box.top) / box.height * 8)];
    return column >= 0 && column < 8 && row >= 0 && row < 8 ? this.squareAt(column, row) : -1;
  }

  /** Puts a side's first rank at the bottom. */
  turnTo(orientation) {
    if (this.orientation === orientation) return;
    this.orientation = orientation;
    this.lay();
  }

  /** Names and paints the squares, and puts everything in its place. */
  lay() {
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 8; column += 1) {
        const index = this.squareAt(column, row);
        const button = this.buttons[row * 8 + column];
        const isLight = ((index % 8) + (index >> 3)) % 2 === 1;
        button.dataset.square = SQUARES[index];
        button.className = isLight ? 'light' : 'dark';
      }
    }
    this.host.dataset.orientation = this.orientation;
    this.letter();
    for (const [index, figure] of this.figures) this.put(figure, index);
    this.nameSquares(true);
    this.mark(this.marks);
    this.art.turnTo(this.orientation);
    const focused = this.focused ?? (this.orientation === 'white' ? 12 : 52);
    this.focused = null;
    this.makeReachable(focused);
  }

  /** Writes the coordinates into the corners of the edge squares. */
  letter() {
    const isLight = (index) => ((index % 8) + (index >> 3)) % 2 === 1;
    const text = (index, x, y, label, anchor) => svg('text', { x, y, 'text-anchor': anchor, class: isLight(index) ? 'on-light' : 'on-dark' }, label);
    const letters = [];
    for (let i = 0; i < 8; i += 1) {
      const [left, bottom] = [this.squareAt(0, i), this.squareAt(i, 7)];
      letters.push(text(left, 0.05, i + 0.21, SQUARES[left][1], 'start'), text(bottom, i + 0.94, 7.94, SQUARES[bottom][0], 'end'));
    }
    this.rims.replaceChildren(...letters);
  }

  nameSquares(all) {
    for (let index = 0; index < 64; index += 1) {
      const button = this.button(index);
      const man = this.men[index];
      if (all || button.dataset.man !== man) {
        button.dataset.man = man;
        button.setAttribute('aria-label', squareName(SQUARES[index], man));
      }
    }
  }

  put(figure, index) {
    const [column, row] = this.place(index);
    figure.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  /** Shows men. Those who moved glide, unless `glides` is false. */
  draw(men, { glides = true } = {}) {
    const isGliding = glides && !prefersReducedMotion();
    this.layer.classList.toggle('glides', isGliding);
    const free = [];
    for (const [index, figure] of this.figures) {
      if (men[index] !== this.men[index]) {
        free.push([index, this.men[index], figure]);
        this.figures.delete(index);
      }
    }
    const distance = (a, b) => Math.max(Math.abs((a % 8) - (b % 8)), Math.abs((a >> 3) - (b >> 3)));
    for (let index = 0; index < 64; index += 1) {
      if (men[index] === '' || this.figures.has(index)) continue;
      const fits = free.filter(([, man]) => man === men[index]);
      fits.sort(([a], [b]) => distance(a, index) - distance(b, index));
      let figure;
      if (fits.length) {
        figure = fits[0][2];
        free.splice(free.indexOf(fits[0]), 1);
      } else {
        figure = manElement(men[index]);
        this.layer.append(figure);
      }
      this.figures.set(index, figure);
      this.put(figure, index);
    }
    for (const [, , figure] of free) figure.remove();
    this.men = men.slice();
    this.nameSquares(false);
  }

  /** Marks squares: `{last: [..], check: [..], selected: [..], target: [..] …}`. */
  mark(marks) {
    this.marks = marks;
    for (let index = 0; index < 64; index += 1) {
      const button = this.button(index);
      for (const name of CLASSES) button.classList.toggle(name, marks[name]?.includes(index) ?? false);
      if (marks.target?.includes(index) || marks.prey?.includes(index)) button.setAttribute('aria-description', t('canGo'));
      else button.removeAttribute('aria-description');
      if (marks.selected?.includes(index)) button.setAttribute('aria-pressed', 'true');
      else button.removeAttribute('aria-pressed');
    }
  }

  /** Makes one square the one that the tabulator reaches. */
  makeReachable(index) {
    if (this.focused !== null) this.button(this.focused).tabIndex = -1;
    this.focused = index;
    this.button(index).tabIndex = 0;
  }

  /** Moves the keyboard's square by columns and rows as they are seen. */
  step(columns, rows) {
    const [column, row] = this.place(this.focused);
    const clamp = (value) => Math.min(7, Math.max(0, value));
    const index = this.squareAt(clamp(column + columns), clamp(row + rows));
    this.makeReachable(index);
    this.button(index).focus();
  }

  /** Lets a man be carried under the finger: column and row in squares from the top left, not rounded. */
  carry(index, column, row) {
    const figure = this.figures.get(index);
    if (!figure) return;
    figure.classList.add('carried');
    figure.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  /** Puts a carried man down where it came from. */
  putBack(index, glides = false) {
    const figure = this.figures.get(index);
    if (!figure) return;
    figure.classList.remove('carried');
    this.layer.classList.toggle('glides', glides && !prefersReducedMotion());
    this.put(figure, index);
  }

  /** Shows an explosion on a square. */
  explode(index) {
    if (prefersReducedMotion()) return;
    const flash = el('span', { class: 'explosion' });
    this.put(flash, index);
    const [column, row] = this.place(index);
    flash.style.left = `${column * 12.5}%`;
    flash.style.top = `${row * 12.5}%`;
    flash.style.transform = '';
    this.layer.append(flash);
    flash.addEventListener('animationend', () => flash.remove());
  }
}
