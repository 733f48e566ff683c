// What is drawn over the board: arrows, rings, lines of attack, the circle of an explosion.

import { svg } from './dom.js';
import { squareIndex } from './fen.js';

/** The layers from the bottom to the top. Each is drawn by another part of the page. */
const LAYERS = ['evidence', 'explosion', 'premoves', 'user'];

/** The drawings over one board, in units of squares. */
export class BoardOverlay {
  constructor() {
    this.orientation = 'white';
    this.layers = {};
    this.shapes = {};
    this.node = svg('svg', { class: 'overlay', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
    for (const name of LAYERS) {
      this.layers[name] = svg('g', { class: name });
      this.node.append(this.layers[name]);
    }
  }

  center(index) {
    const [file, rank] = [index % 8, index >> 3];
    return this.orientation === 'white' ? [file + 0.5, 7.5 - rank] : [7.5 - file, rank + 0.5];
  }

  setOrientation(orientation) {
    this.orientation = orientation;
    for (const [layer, shapes] of Object.entries(this.shapes)) this.draw(layer, shapes);
  }

  /** Draws shapes in a layer, in place of what was there. */
  draw(layer, shapes) {
    this.shapes[layer] = shapes;
    this.layers[layer].replaceChildren(...shapes.map((shape) => this[shape.kind](shape)).filter(Boolean));
  }

  ring({ square, tone = '' }) {
    const [x, y] = this.center(square);
    return svg('rect', { x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92, rx: 0.1, class: `ring ${tone}` });
  }

  cross({ square }) {
    const [x, y] = this.center(square);
    const r = 0.13;
    const [cx, cy] = [x + 0.3, y - 0.3];
    return svg('path', { d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`, class: 'cross' });
  }

  line({ from, to }) {
    const [[x1, y1], [x2, y2]] = [this.center(from), this.center(to)];
    return svg('line', { x1, y1, x2, y2, class: 'attack' });
  }

  circle({ square }) {
    const [cx, cy] = this.center(square);
    return svg('circle', { cx, cy, r: 1.5, class: 'circle' });
  }

  spot({ square }) {
    const [cx, cy] = this.center(square);
    return svg('circle', { cx, cy, r: 0.44, class: 'spot' });
  }

  arrow({ from, to, tone = '' }) {
    const [[x1, y1], [x2, y2]] = [this.center(from), this.center(to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (!length) return null;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const point = (along, aside) => `${(x1 + ux * along - uy * aside).toFixed(3)} ${(y1 + uy * along + ux * aside).toFixed(3)}`;
    const neck = length - 0.38;
    const d = `M${point(0.22, 0.085)}L${point(neck, 0.085)}L${point(neck, 0.25)}L${point(length, 0)}`
      + `L${point(neck, -0.25)}L${point(neck, -0.085)}L${point(0.22, -0.085)}Z`;
    return svg('path', { d, class: `arrow ${tone}` });
  }
}

/** The squares that prove a refusal: rings, and a line of attack if all are on one line. */
export function evidenceShapes(squares) {
  const indexes = squares.map(squareIndex);
  const shapes = indexes.map((square) => ({ kind: 'ring', square }));
  const line = lineThrough(indexes);
  if (line) shapes.push({ kind: 'line', from: line[0], to: line[1] });
  return shapes;
}

/** The two ends of a file, rank or diagonal that all squares are on, or null. */
function lineThrough(indexes) {
  if (indexes.length < 2) return null;
  const sorted = [...new Set(indexes)].sort((a, b) => (a % 8) - (b % 8) || a - b);
  const [a, b] = [sorted[0], sorted.at(-1)];
  const delta = (p, q) => [(q % 8) - (p % 8), (q >> 3) - (p >> 3)];
  const [df, dr] = delta(a, b);
  const isLine = df === 0 || dr === 0 || Math.abs(df) === Math.abs(dr);
  if (!isLine || Math.max(Math.abs(df), Math.abs(dr)) < 2) return null;
  const onLine = sorted.every((square) => {
    const [f, r] = delta(a, square);
    return f * dr === r * df;
  });
  return onLine ? [a, b] : null;
}
