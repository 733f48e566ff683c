// Moves that are planned while the opponent thinks. Each is played when its turn comes, if it is legal then.

import { SQUARES, colorOf, play, reach } from './fen.js';

/** The plans of a player. */
export class Premoves {
  constructor() {
    this.list = [];
  }

  get isEmpty() { return this.list.length === 0; }

  /** The board as it would be if everything that is planned were played on these men and nothing else happened. */
  men(now, variant) {
    let men = now;
    for (const uci of this.list) {
      if (men[SQUARES.indexOf(uci.slice(0, 2))] !== '') men = play(men, uci, variant).men;
    }
    return men;
  }

  /** Where a man of this colour might go after that. */
  targets(now, castling, variant, from, color) {
    const men = this.men(now, variant);
    return colorOf(men[from]) === color ? reach(men, from, variant, castling) : [];
  }

  add(uci) { this.list.push(uci); }

  clear() {
    const had = this.list.length > 0;
    this.list = [];
    return had;
  }

  /** Takes the first plan. */
  take() { return this.list.shift(); }

  /** All squares that plans touch. */
  get squares() { return this.list.flatMap((uci) => [SQUARES.indexOf(uci.slice(0, 2)), SQUARES.indexOf(uci.slice(2, 4))]); }

  /** The plans as arrows. */
  get arrows() {
    return this.list.map((uci) => ({ kind: 'arrow', tone: 'plan', from: SQUARES.indexOf(uci.slice(0, 2)), to: SQUARES.indexOf(uci.slice(2, 4)) }));
  }
}
