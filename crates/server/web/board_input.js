// What a hand does on the board: click and click, drag, touch, arrow keys; with the right button arrows and marks.
// It decides nothing: it asks its owner what may be lifted, and says what was tried.

const FAR = 6;

/**
 * The owner has: `lifts(square)` whether a man may be lifted there, `selected(square | -1)`, `aims(from, to | -1)`
 * when a target is under the hand, `tries(from, to)`; it may have `dropped(square)` for a man carried off the board.
 */
export class Hand {
  constructor(board, owner) {
    this.board = board;
    this.owner = owner;
    this.from = -1;
    this.press = null;
    this.shapes = [];
    const { host, grid } = board;
    host.addEventListener('pointerdown', (event) => this.down(event));
    host.addEventListener('pointermove', (event) => this.move(event));
    host.addEventListener('pointerup', (event) => this.up(event));
    host.addEventListener('pointercancel', () => this.cancel());
    host.addEventListener('contextmenu', (event) => event.preventDefault());
    // After a tap browsers make a click of their own, which would hit whatever has opened under the finger meanwhile.
    host.addEventListener('touchend', (event) => { if (event.cancelable) event.preventDefault(); });
    // A click that no pointer made comes from a keyboard or a screen reader.
    grid.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button && event.detail === 0) this.tap(this.indexOf(button));
    });
    grid.addEventListener('keydown', (event) => this.key(event));
    grid.addEventListener('focusin', (event) => {
      const button = event.target.closest('button');
      if (button) this.board.makeReachable(this.indexOf(button));
      if (this.from >= 0 && button?.matches(':focus-visible')) this.owner.aims(this.from, this.indexOf(button));
    });
  }

  indexOf(button) {
    const square = button.dataset.square;
    return 'abcdefgh'.indexOf(square[0]) + 8 * (Number(square[1]) - 1);
  }

  select(square) {
    this.from = square;
    this.owner.selected(square);
  }

  /** Lets go of everything. */
  release() {
    if (this.press?.isDragging) this.board.putBack(this.press.square);
    this.press = null;
    if (this.from >= 0) this.select(-1);
    this.owner.aims(-1, -1);
  }

  tap(square) {
    if (this.from === square) return this.release();
    if (this.from >= 0 && !this.owner.reselects(this.from, square)) {
      const from = this.from;
      this.release();
      return this.owner.tries(from, square);
    }
    if (this.owner.lifts(square)) this.select(square);
    return undefined;
  }

  down(event) {
    const square = this.board.squareUnder(event.clientX, event.clientY);
    if (square < 0) return;
    if (event.button === 2) {
      event.preventDefault();
      this.press = { right: true, square };
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    if (this.shapes.length) this.setShapes([]);
    const wasSelected = this.from === square;
    const isTry = this.from >= 0 && !wasSelected && !this.owner.reselects(this.from, square);
    this.press = { square, x: event.clientX, y: event.clientY, isTry, wasSelected, isDragging: false, id: event.pointerId };
    if (isTry) this.owner.aims(this.from, square);
    else if (this.owner.lifts(square)) {
      if (!wasSelected) this.select(square);
      this.board.host.setPointerCapture(event.pointerId);
    } else {
      this.press = null;
      this.release();
    }
  }

  move(event) {
    const { press } = this;
    if (!press) {
      if (this.from >= 0 && event.pointerType === 'mouse') {
        this.owner.aims(this.from, this.board.squareUnder(event.clientX, event.clientY));
      }
      return;
    }
    if (press.right) return;
    const under = this.board.squareUnder(event.clientX, event.clientY);
    if (press.isTry) {
      this.owner.aims(this.from, under === press.square ? under : -1);
      return;
    }
    if (!press.isDragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) press.isDragging = true;
    if (!press.isDragging) return;
    const box = this.board.grid.getBoundingClientRect();
    const lift = event.pointerType === 'touch' ? 0.9 : 0.5;
    this.board.carry(press.square, (event.clientX - box.left) / box.width * 8 - 0.5, (event.clientY - box.top) / box.height * 8 - lift);
    this.owner.aims(press.square, under);
  }

  up(event) {
    const { press } = this;
    this.press = null;
    if (!press) return;
    const under = this.board.squareUnder(event.clientX, event.clientY);
    if (press.right) {
      this.drawShape(press.square, under, event.shiftKey || event.altKey);
      return;
    }
    this.owner.aims(-1, -1);
    if (press.isTry) {
      if (under !== press.square) return;
      const from = this.from;
      this.select(-1);
      this.owner.tries(from, press.square, false);
      return;
    }
    if (press.isDragging) {
      if (under < 0 || under === press.square) {
        this.board.putBack(press.square, true);
        if (under < 0) {
          this.select(-1);
          this.owner.dropped?.(press.square);
        }
        return;
      }
      this.board.putBack(press.square);
      this.select(-1);
      this.owner.tries(press.square, under, true);
      return;
    }
    if (press.wasSelected) this.select(-1);
  }

  cancel() {
    if (this.press?.isDragging) this.board.putBack(this.press.square, true);
    this.press = null;
    this.owner.aims(-1, -1);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0], PageUp: [0, -8], PageDown: [0, 8] };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.board.step(...step);
  }

  drawShape(from, to, isOther) {
    if (to < 0) return;
    const tone = isOther ? 'other' : '';
    const shape = from === to ? { kind: 'spot', square: from, tone } : { kind: 'arrow', from, to, tone };
    const same = (one) => one.kind === shape.kind && one.square === shape.square && one.from === shape.from && one.to === shape.to;
    this.setShapes(this.shapes.some(same) ? this.shapes.filter((one) => !same(one)) : [...this.shapes, shape]);
  }

  setShapes(shapes) {
    this.shapes = shapes;
    this.board.art.draw('own', shapes);
  }
}
