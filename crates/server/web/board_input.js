// Input on the board: clicks, drags, touch, keys; with the right button arrows and circles. It decides nothing: its
// handlers say which pieces can be picked up, and are told which move was tried.

import { squareIndex } from './fen.js';

const DRAG_THRESHOLD_PX = 6;
/** How far above the finger, in squares, the middle of a dragged piece is drawn. */
const TOUCH_LIFT = 0.9;
const MOUSE_LIFT = 0.5;

const FOCUS_STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0], PageUp: [0, -8], PageDown: [0, 8],
};

/**
 * The handlers have: `canPickUp(square)`; `isReselection(from, to)` whether a press on `to` picks up the piece there
 * instead of trying a move; `onSelect(square | -1)`; `onHover(from, to | -1)` when a target is under the pointer;
 * `onMove(from, to, isDragged)`. They may have `onPress(square)`, which returns whether it has used the press, and
 * `onDropOutside(square)` for a piece that was dragged off the board.
 */
export class BoardInput {
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    /** The square of the selected piece, or -1. */
    this.from = -1;
    this.press = null;
    this.shapes = [];
    const { host, grid } = board;
    host.addEventListener('pointerdown', (event) => this.onPointerDown(event));
    host.addEventListener('pointermove', (event) => this.onPointerMove(event));
    host.addEventListener('pointerup', (event) => this.onPointerUp(event));
    host.addEventListener('pointercancel', () => this.onPointerCancel());
    host.addEventListener('contextmenu', (event) => event.preventDefault());
    // After a tap browsers send a click of their own, which would hit whatever has opened under the finger meanwhile.
    host.addEventListener('touchend', (event) => { if (event.cancelable) event.preventDefault(); });
    // A click without a pointer comes from a keyboard or a screen reader.
    grid.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button && event.detail === 0) this.activate(squareIndex(button.dataset.square));
    });
    grid.addEventListener('keydown', (event) => this.onKeyDown(event));
    grid.addEventListener('focusin', (event) => {
      const button = event.target.closest('button');
      if (button) this.board.setTabStop(squareIndex(button.dataset.square));
      if (this.from >= 0 && button?.matches(':focus-visible')) this.handlers.onHover(this.from, squareIndex(button.dataset.square));
    });
  }

  select(square) {
    this.from = square;
    this.handlers.onSelect(square);
  }

  /** Ends a drag and a selection. */
  release() {
    if (this.press?.isDragging) this.board.putBack(this.press.square);
    this.press = null;
    if (this.from >= 0) this.select(-1);
    this.handlers.onHover(-1, -1);
  }

  /** Forgets the selection without telling the handlers. */
  forgetSelection() { this.from = -1; }

  /** A square was activated by the keyboard or a screen reader. */
  activate(square) {
    if (this.from === square) { this.release(); return; }
    if (this.from >= 0 && !this.handlers.isReselection(this.from, square)) {
      const { from } = this;
      this.release();
      this.handlers.onMove(from, square, false);
      return;
    }
    if (this.handlers.onPress?.(square)) return;
    if (this.handlers.canPickUp(square)) this.select(square);
  }

  onPointerDown(event) {
    const square = this.board.squareUnder(event.clientX, event.clientY);
    if (square < 0) return;
    if (event.button === 2) {
      event.preventDefault();
      this.press = { isRightButton: true, square };
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    if (this.shapes.length) this.setShapes([]);
    const wasSelected = this.from === square;
    const isMove = this.from >= 0 && !wasSelected && !this.handlers.isReselection(this.from, square);
    this.press = { square, x: event.clientX, y: event.clientY, isMove, wasSelected, isDragging: false };
    if (isMove) this.handlers.onHover(this.from, square);
    else if (!this.handlers.onPress?.(square) && this.handlers.canPickUp(square)) {
      if (!wasSelected) this.select(square);
      this.board.host.setPointerCapture(event.pointerId);
    } else {
      this.press = null;
      this.release();
    }
  }

  onPointerMove(event) {
    const { press } = this;
    if (!press) {
      if (this.from >= 0 && event.pointerType === 'mouse') {
        this.handlers.onHover(this.from, this.board.squareUnder(event.clientX, event.clientY));
      }
      return;
    }
    if (press.isRightButton) return;
    const square = this.board.squareUnder(event.clientX, event.clientY);
    if (press.isMove) {
      this.handlers.onHover(this.from, square === press.square ? square : -1);
      return;
    }
    if (!press.isDragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_THRESHOLD_PX) press.isDragging = true;
    if (!press.isDragging) return;
    const box = this.board.grid.getBoundingClientRect();
    const lift = event.pointerType === 'touch' ? TOUCH_LIFT : MOUSE_LIFT;
    this.board.dragPiece(press.square, (event.clientX - box.left) / box.width * 8 - 0.5, (event.clientY - box.top) / box.height * 8 - lift);
    this.handlers.onHover(press.square, square);
  }

  onPointerUp(event) {
    const { press } = this;
    this.press = null;
    if (!press) return;
    const square = this.board.squareUnder(event.clientX, event.clientY);
    if (press.isRightButton) {
      this.toggleShape(press.square, square, event.shiftKey || event.altKey);
      return;
    }
    this.handlers.onHover(-1, -1);
    if (press.isMove) {
      if (square !== press.square) return;
      const { from } = this;
      this.select(-1);
      this.handlers.onMove(from, press.square, false);
      return;
    }
    if (press.isDragging) {
      if (square < 0 || square === press.square) {
        this.board.putBack(press.square, true);
        if (square < 0) {
          this.select(-1);
          this.handlers.onDropOutside?.(press.square);
        }
        return;
      }
      this.board.putBack(press.square);
      this.select(-1);
      this.handlers.onMove(press.square, square, true);
      return;
    }
    if (press.wasSelected) this.select(-1);
  }

  onPointerCancel() {
    if (this.press?.isDragging) this.board.putBack(this.press.square, true);
    this.press = null;
    this.handlers.onHover(-1, -1);
  }

  onKeyDown(event) {
    const step = FOCUS_STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.board.moveFocus(...step);
  }

  /** Draws an arrow, or a circle on one square; removes it if it is there already. */
  toggleShape(from, to, isOtherTone) {
    if (to < 0) return;
    const tone = isOtherTone ? 'other' : '';
    const shape = from === to ? { kind: 'spot', square: from, tone } : { kind: 'arrow', from, to, tone };
    const isSame = (one) => one.kind === shape.kind && one.square === shape.square && one.from === shape.from && one.to === shape.to;
    this.setShapes(this.shapes.some(isSame) ? this.shapes.filter((one) => !isSame(one)) : [...this.shapes, shape]);
  }

  setShapes(shapes) {
    this.shapes = shapes;
    this.board.overlay.draw('user', shapes);
  }
}
