// Setting a position up by hand: the palette by click, drag and touch, letters on the keyboard, castling rights and
// the square of a capture en passant. What is wrong with it is for the arbiter to say.

import { $, el, show } from './dom.js';
import { t } from './i18n.js';
import { SQUARES, at, colorOf, read } from './fen.js';

const RIGHTS = ['K', 'Q', 'k', 'q'];

/** Which of the four rights a FEN's third field has; files are told by which side of the king they are. */
export function rightsIn(castling, men) {
  const found = new Set();
  for (const letter of castling ?? '-') {
    const isWhite = colorOf(letter) === 'white';
    const file = 'abcdefgh'.indexOf(letter.toLowerCase());
    const side = file > men.indexOf(isWhite ? 'K' : 'k') % 8 ? 'k' : 'q';
    if (RIGHTS.includes(letter)) found.add(letter);
    else if (file >= 0) found.add(isWhite ? side.toUpperCase() : side);
  }
  return found;
}

/** The squares over which a pawn may just have gone two steps. */
export function passedSquares(men, turn) {
  const [pawn, passed, step] = turn === 'white' ? ['p', 40, 8] : ['P', 16, -8];
  return SQUARES.slice(passed, passed + 8).filter((_, file) => {
    const index = passed + file;
    return men[index] === '' && men[index + step] === '' && men[index - step] === pawn;
  });
}

/** The controls beside the board of a desk, which has `fen`, `setMan`, `setFields` and a `board`. */
export class Setup {
  constructor(desk) {
    this.desk = desk;
    this.tool = 'hand';
    this.rights = [...$('castling').querySelectorAll('input')];
    for (const box of this.rights) box.addEventListener('change', () => this.setRights());
    $('passed').addEventListener('change', () => desk.setFields({ enPassant: $('passed').value }));
    for (const button of $('palette').children) this.furnish(button);
    desk.board.grid.addEventListener('keydown', (event) => this.key(event));
  }

  furnish(button) {
    const { tool } = button.dataset;
    const name = { hand: t('hand'), '': t('erase') }[tool] ?? `${t(`colors.${colorOf(tool)}`)} ${t(`pieces.${tool.toLowerCase()}`)}`;
    button.setAttribute('aria-label', name);
    button.addEventListener('click', () => this.choose(tool));
    if (tool === 'hand') return;
    // A man is also dragged from the palette to the board.
    button.addEventListener('pointerdown', (event) => this.drag(event, button));
  }

  choose(tool) {
    this.tool = tool;
    for (const one of $('palette').children) one.setAttribute('aria-pressed', String(one.dataset.tool === tool));
  }

  drag(event, button) {
    if (event.button !== 0 || !event.isPrimary) return;
    const { board } = this.desk;
    const { tool } = button.dataset;
    let ghost = null;
    const move = ({ clientX, clientY }) => {
      if (!ghost) {
        if (Math.hypot(clientX - event.clientX, clientY - event.clientY) < 8) return;
        ghost = button.firstElementChild.cloneNode(true);
        ghost.classList.add('ghost');
        document.body.append(ghost);
      }
      ghost.style.translate = `${clientX}px ${clientY}px`;
    };
    const end = ({ type, clientX, clientY }) => {
      button.removeEventListener('pointermove', move);
      for (const kind of ['pointerup', 'pointercancel']) button.removeEventListener(kind, end);
      if (!ghost) return;
      ghost.remove();
      const square = board.squareUnder(clientX, clientY);
      if (type === 'pointerup' && square >= 0) this.desk.setMan(square, tool);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener('pointermove', move);
    for (const kind of ['pointerup', 'pointercancel']) button.addEventListener(kind, end);
  }

  /** Letters set men on the square that has the focus: K a white king, k a black one; Delete takes away. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const man = /^[kqrbnp]$/i.test(event.key) ? event.key : ['Delete', 'Backspace'].includes(event.key) ? '' : null;
    if (man === null) return;
    event.preventDefault();
    this.desk.setMan(at(event.target.dataset.square), man);
  }

  setRights() {
    const rights = this.rights.filter((box) => box.checked).map((box) => box.value).join('');
    this.desk.setFields({ castling: rights || '-' });
  }

  /** Shows what a FEN says, under a variant that may know neither of both. */
  show(fen, variant) {
    const { men, turn, castling, enPassant } = read(fen);
    const rights = rightsIn(castling, men);
    for (const box of this.rights) box.checked = rights.has(box.value);
    const squares = new Set([...passedSquares(men, turn), ...(enPassant === '-' ? [] : [enPassant])]);
    $('passed').replaceChildren(...['-', ...squares].map((square) => el('option', { value: square }, square === '-' ? t('desk.nowhere') : square)));
    $('passed').value = enPassant;
    show($('special'), variant !== 'simple-atomic');
  }
}
