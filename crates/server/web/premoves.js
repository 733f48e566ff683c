// Premoves: moves entered while the opponent thinks. Each is played when its turn comes, if it is legal then.

import { applyMove, colorOf, fromSquare, premoveTargets, toSquare } from './fen.js';

/** The premoves of a player, in the order in which they will be played. */
export class Premoves {
  constructor() {
    this.list = [];
  }

  get isEmpty() { return this.list.length === 0; }

  /** The pieces as they would stand if all premoves were played and the opponent did nothing. */
  piecesAfterPremoves(pieces, variant) {
    let after = pieces;
    for (const uci of this.list) {
      if (after[fromSquare(uci)] !== '') after = applyMove(after, uci, variant).pieces;
    }
    return after;
  }

  /** Where a piece of this colour might go after all premoves. */
  targets(pieces, castling, variant, from, color) {
    const after = this.piecesAfterPremoves(pieces, variant);
    return colorOf(after[from]) === color ? premoveTargets(after, from, variant, castling) : [];
  }

  add(uci) { this.list.push(uci); }

  /** Removes all. Returns whether there were any. */
  clear() {
    const hadAny = this.list.length > 0;
    this.list = [];
    return hadAny;
  }

  /** Removes and returns the first. */
  takeFirst() { return this.list.shift(); }

  /** All squares that premoves start from or go to. */
  get squares() { return this.list.flatMap((uci) => [fromSquare(uci), toSquare(uci)]); }

  /** The premoves as arrows for the overlay. */
  get arrows() {
    return this.list.map((uci) => ({ kind: 'arrow', tone: 'premove', from: fromSquare(uci), to: toSquare(uci) }));
  }
}
