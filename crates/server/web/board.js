// The board: 64 named squares that can be reached by keyboard, the pieces above them, and an overlay for drawings.

import { el, prefersReducedMotion, svg } from './dom.js';
import { SQUARES, colorOf } from './fen.js';
import { BoardOverlay } from './board_overlay.js';
import { t } from './i18n.js';

/** The marks that a square can have; each is a CSS class. */
const MARKS = ['last', 'check', 'selected', 'target', 'capture-target', 'premove', 'exploding', 'hovered'];
/** The squares that the tabulator reaches first: e2, and e7 when Black is at the bottom. */
const FIRST_FOCUS = { white: 12, black: 52 };

const isLightSquare = (index) => ((index % 8) + (index >> 3)) % 2 === 1;
const squareDistance = (a, b) => Math.max(Math.abs((a % 8) - (b % 8)), Math.abs((a >> 3) - (b >> 3)));

/** The accessible name of a square with the piece on it. */
export function squareName(square, piece) {
  return piece === '' ? t('emptySquare', { square })
    : t('square', { square, color: t(`colors.${colorOf(piece)}`), piece: t(`pieces.${piece.toLowerCase()}`) });
}

/** An element that shows a piece. */
export const pieceElement = (piece, extra = '') => el('span', { class: `piece ${piece < 'a' ? 'w' : 'b'}${piece.toLowerCase()} ${extra}` });

/** A board that shows a position. What people do on it is read by `BoardInput`. */
export class Board {
  constructor(host, { label = t('board'), isSmall = false } = {}) {
    this.host = host;
    this.pieces = Array(64).fill('');
    this.pieceNodes = new Map();
    this.orientation = 'white';
    this.marks = {};
    host.classList.add('board');
    host.classList.toggle('small', isSmall);
    this.grid = el('div', { role: 'grid', 'aria-label': label, class: 'squares' });
    this.buttons = [];
    for (let row = 0; row < 8; row += 1) {
      const rowNode = el('div', { role: 'row' });
      for (let column = 0; column < 8; column += 1) {
        const button = el('button', { type: 'button', tabindex: '-1' });
        this.buttons.push(button);
        rowNode.append(el('div', { role: 'gridcell' }, button));
      }
      this.grid.append(rowNode);
    }
    this.pieceLayer = el('div', { class: 'pieces', 'aria-hidden': 'true' });
    this.coordinates = svg('svg', { class: 'coordinates', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
    this.overlay = new BoardOverlay();
    host.replaceChildren(this.grid, this.coordinates, this.pieceLayer, this.overlay.node);
    this.focused = null;
    this.layOut();
  }

  /** Where a square is drawn: column and row from the top left. */
  columnAndRow(index) {
    const [file, rank] = [index % 8, index >> 3];
    return this.orientation === 'white' ? [file, 7 - rank] : [7 - file, rank];
  }

  /** The square in a column and a row from the top left. */
  squareAt(column, row) {
    return this.orientation === 'white' ? (7 - row) * 8 + column : row * 8 + 7 - column;
  }

  /** The button of a square. */
  button(index) {
    const [column, row] = this.columnAndRow(index);
    return this.buttons[row * 8 + column];
  }

  /** The square under a point of the window, or -1. */
  squareUnder(x, y) {
    const box = this.grid.getBoundingClientRect();
    const [column, row] = [Math.floor((x - box.left) / box.width * 8), Math.floor((y - box.top) / box.height * 8)];
    return column >= 0 && column < 8 && row >= 0 && row < 8 ? this.squareAt(column, row) : -1;
  }

  /** Puts a side's first rank at the bottom. */
  setOrientation(orientation) {
    if (this.orientation === orientation) return;
    this.orientation = orientation;
    this.layOut();
  }

  /** Names and colours the squares, and puts everything on them in its place. */
  layOut() {
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 8; column += 1) {
        const index = this.squareAt(column, row);
        const button = this.buttons[row * 8 + column];
        button.dataset.square = SQUARES[index];
        button.className = isLightSquare(index) ? 'light' : 'dark';
      }
    }
    this.host.dataset.orientation = this.orientation;
    this.drawCoordinates();
    for (const [index, node] of this.pieceNodes) this.moveNode(node, index);
    this.nameSquares(true);
    this.mark(this.marks);
    this.overlay.setOrientation(this.orientation);
    const focused = this.focused ?? FIRST_FOCUS[this.orientation];
    this.focused = null;
    this.setTabStop(focused);
  }

  /** Writes the coordinates into the corners of the edge squares. */
  drawCoordinates() {
    const text = (index, x, y, label, anchor) => svg('text', { x, y, 'text-anchor': anchor, class: isLightSquare(index) ? 'on-light' : 'on-dark' }, label);
    const letters = [];
    for (let i = 0; i < 8; i += 1) {
      const [left, bottom] = [this.squareAt(0, i), this.squareAt(i, 7)];
      letters.push(text(left, 0.05, i + 0.21, SQUARES[left][1], 'start'), text(bottom, i + 0.94, 7.94, SQUARES[bottom][0], 'end'));
    }
    this.coordinates.replaceChildren(...letters);
  }

  /** Names the squares on which a piece has changed, or all. */
  nameSquares(isAll) {
    for (let index = 0; index < 64; index += 1) {
      const button = this.button(index);
      const piece = this.pieces[index];
      if (isAll || button.dataset.piece !== piece) {
        button.dataset.piece = piece;
        button.setAttribute('aria-label', squareName(SQUARES[index], piece));
      }
    }
  }

  /** Moves a piece's element to a square. */
  moveNode(node, index) {
    const [column, row] = this.columnAndRow(index);
    node.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  /** Shows pieces. Those that moved glide, unless `isAnimated` is false. */
  draw(pieces, { isAnimated = true } = {}) {
    this.pieceLayer.classList.toggle('animated', isAnimated && !prefersReducedMotion());
    const free = [];
    for (const [index, node] of this.pieceNodes) {
      if (pieces[index] !== this.pieces[index]) {
        free.push([index, this.pieces[index], node]);
        this.pieceNodes.delete(index);
      }
    }
    for (let index = 0; index < 64; index += 1) {
      if (pieces[index] === '' || this.pieceNodes.has(index)) continue;
      // The nearest free element of the same piece is the one that has moved here.
      const same = free.filter(([, piece]) => piece === pieces[index]);
      same.sort(([a], [b]) => squareDistance(a, index) - squareDistance(b, index));
      let node;
      if (same.length) {
        node = same[0][2];
        free.splice(free.indexOf(same[0]), 1);
      } else {
        node = pieceElement(pieces[index]);
        this.pieceLayer.append(node);
      }
      this.pieceNodes.set(index, node);
      this.moveNode(node, index);
    }
    for (const [, , node] of free) node.remove();
    this.pieces = pieces.slice();
    this.nameSquares(false);
  }

  /** Marks squares: `{last: [..], check: [..], selected: [..], target: [..] …}`. */
  mark(marks) {
    this.marks = marks;
    for (let index = 0; index < 64; index += 1) {
      const button = this.button(index);
      for (const name of MARKS) button.classList.toggle(name, marks[name]?.includes(index) ?? false);
      if (marks.target?.includes(index) || marks['capture-target']?.includes(index)) button.setAttribute('aria-description', t('canGo'));
      else button.removeAttribute('aria-description');
      if (marks.selected?.includes(index)) button.setAttribute('aria-pressed', 'true');
      else button.removeAttribute('aria-pressed');
    }
  }

  /** Makes one square the one that the Tab key reaches. */
  setTabStop(index) {
    if (this.focused !== null) this.button(this.focused).tabIndex = -1;
    this.focused = index;
    this.button(index).tabIndex = 0;
  }

  /** Moves the focus by columns and rows as they are seen. */
  moveFocus(columns, rows) {
    const [column, row] = this.columnAndRow(this.focused);
    const clamp = (value) => Math.min(7, Math.max(0, value));
    const index = this.squareAt(clamp(column + columns), clamp(row + rows));
    this.setTabStop(index);
    this.button(index).focus();
  }

  /** Draws a piece under the finger that drags it: column and row in squares from the top left, not rounded. */
  dragPiece(index, column, row) {
    const node = this.pieceNodes.get(index);
    if (!node) return;
    node.classList.add('dragged');
    node.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  /** Puts a dragged piece back where it came from. */
  putBack(index, isAnimated = false) {
    const node = this.pieceNodes.get(index);
    if (!node) return;
    node.classList.remove('dragged');
    this.pieceLayer.classList.toggle('animated', isAnimated && !prefersReducedMotion());
    this.moveNode(node, index);
  }

  /** Animates an explosion on a square. */
  showExplosion(index) {
    if (prefersReducedMotion()) return;
    const flash = el('span', { class: 'explosion-flash' });
    const [column, row] = this.columnAndRow(index);
    flash.style.left = `${column * 12.5}%`;
    flash.style.top = `${row * 12.5}%`;
    this.pieceLayer.append(flash);
    flash.addEventListener('animationend', () => flash.remove());
  }
}
