// Setting up a position by hand: a palette of pieces by click, drag and touch, letters on the keyboard, castling rights
// and the square of a capture en passant. Whether the position is possible is for the arbiter to say.

import { $, el, show } from './dom.js';
import { t } from './i18n.js';
import { SQUARES, colorOf, readFen, squareIndex } from './fen.js';

const DRAG_THRESHOLD_PX = 8;
const CASTLING_RIGHTS = ['K', 'Q', 'k', 'q'];

/** The tool that moves pieces; the others are the letter of a piece, or '' to erase. */
export const MOVE_TOOL = 'move';

/** Which of the four rights a FEN's third field has. Chess960 names the rook's file instead of the side. */
function readCastlingRights(castling, pieces) {
  const rights = new Set();
  for (const letter of castling ?? '-') {
    const isWhite = colorOf(letter) === 'white';
    const file = 'abcdefgh'.indexOf(letter.toLowerCase());
    const side = file > pieces.indexOf(isWhite ? 'K' : 'k') % 8 ? 'k' : 'q';
    if (CASTLING_RIGHTS.includes(letter)) rights.add(letter);
    else if (file >= 0) rights.add(isWhite ? side.toUpperCase() : side);
  }
  return rights;
}

/** The squares that a pawn may just have passed by a double step. */
function possibleEnPassantSquares(pieces, turn) {
  const [pawn, firstSquare, step] = turn === 'white' ? ['p', 40, 8] : ['P', 16, -8];
  return SQUARES.slice(firstSquare, firstSquare + 8).filter((_, file) => {
    const index = firstSquare + file;
    return pieces[index] === '' && pieces[index + step] === '' && pieces[index - step] === pawn;
  });
}

/** The controls that edit a board's position. Calls `setPiece(square, piece)` and `setFields({castling, enPassant})`. */
export class BoardEditor {
  constructor(board, { setPiece, setFields }) {
    this.board = board;
    this.setPiece = setPiece;
    this.setFields = setFields;
    this.tool = MOVE_TOOL;
    this.rightBoxes = [...$('castling').querySelectorAll('input')];
    for (const box of this.rightBoxes) box.addEventListener('change', () => this.setRights());
    $('en-passant').addEventListener('change', () => this.setFields({ enPassant: $('en-passant').value }));
    for (const button of $('palette').children) this.setUpTool(button);
    board.grid.addEventListener('keydown', (event) => this.onKeyDown(event));
  }

  setUpTool(button) {
    const { tool } = button.dataset;
    const name = { [MOVE_TOOL]: t('movePieces'), '': t('erase') }[tool] ?? `${t(`colors.${colorOf(tool)}`)} ${t(`pieces.${tool.toLowerCase()}`)}`;
    button.setAttribute('aria-label', name);
    button.addEventListener('click', () => this.selectTool(tool));
    if (tool === MOVE_TOOL) return;
    // A piece can also be dragged from the palette to the board.
    button.addEventListener('pointerdown', (event) => this.startDrag(event, button));
  }

  selectTool(tool) {
    this.tool = tool;
    for (const one of $('palette').children) one.setAttribute('aria-pressed', String(one.dataset.tool === tool));
  }

  startDrag(event, button) {
    if (event.button !== 0 || !event.isPrimary) return;
    const { tool } = button.dataset;
    let image = null;
    const move = ({ clientX, clientY }) => {
      if (!image) {
        if (Math.hypot(clientX - event.clientX, clientY - event.clientY) < DRAG_THRESHOLD_PX) return;
        image = button.firstElementChild.cloneNode(true);
        image.classList.add('drag-image');
        document.body.append(image);
      }
      image.style.translate = `${clientX}px ${clientY}px`;
    };
    const end = ({ type, clientX, clientY }) => {
      button.removeEventListener('pointermove', move);
      for (const kind of ['pointerup', 'pointercancel']) button.removeEventListener(kind, end);
      if (!image) return;
      image.remove();
      const square = this.board.squareUnder(clientX, clientY);
      if (type === 'pointerup' && square >= 0) this.setPiece(square, tool);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener('pointermove', move);
    for (const kind of ['pointerup', 'pointercancel']) button.addEventListener(kind, end);
  }

  /** Letters put pieces on the square that has the focus: K a white king, k a black one; Delete removes. */
  onKeyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const piece = /^[kqrbnp]$/i.test(event.key) ? event.key : ['Delete', 'Backspace'].includes(event.key) ? '' : null;
    if (piece === null) return;
    event.preventDefault();
    this.setPiece(squareIndex(event.target.dataset.square), piece);
  }

  setRights() {
    const rights = this.rightBoxes.filter((box) => box.checked).map((box) => box.value).join('');
    this.setFields({ castling: rights || '-' });
  }

  /** Shows the castling rights and the en passant square of a FEN, if the variant has them. */
  show(fen, variant) {
    const { pieces, turn, castling, enPassant } = readFen(fen);
    const rights = readCastlingRights(castling, pieces);
    for (const box of this.rightBoxes) box.checked = rights.has(box.value);
    const squares = new Set([...possibleEnPassantSquares(pieces, turn), ...(enPassant === '-' ? [] : [enPassant])]);
    $('en-passant').replaceChildren(...['-', ...squares].map((square) => el('option', { value: square }, square === '-' ? t('arbiterPage.nowhere') : square)));
    $('en-passant').value = enPassant;
    show($('special-rights'), variant !== 'simple-atomic');
  }
}
