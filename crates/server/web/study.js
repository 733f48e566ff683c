// Moves that somebody tries after the game, for himself. The arbiter is asked whether each may be played.

import { post } from './http.js';
import { storage } from './storage.js';
import { numbering, play, read } from './fen.js';

/** Of so many games the variations are remembered; then the oldest are forgotten. */
const MOST = 40;

/** Remembers the variations of a game in this browser. */
export function keep(game, studies) {
  const { [game]: _, ...others } = storage.get('studies', {});
  const kept = studies.filter((study) => study.moves.length).map(({ ply, moves }) => ({ ply, moves }));
  const all = Object.entries({ ...others, ...(kept.length ? { [game]: kept } : {}) });
  storage.set('studies', Object.fromEntries(all.slice(-MOST)));
}

/** The variations of a game that this browser remembers, as far as they fit it. */
export function kept(model) {
  const found = storage.get('studies', {})?.[model.game];
  const isMove = (move) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move?.uci) && typeof move.san === 'string';
  const fits = (one) => Number.isInteger(one?.ply) && one.ply >= 0 && one.ply <= model.history.length
    && Array.isArray(one.moves) && one.moves.length > 0 && one.moves.every(isMove);
  return (Array.isArray(found) ? found : []).filter(fits).map(({ ply, moves }) => Object.assign(new Study(model, ply), { moves, at: moves.length }));
}

/** A variation from a position of a finished game. */
export class Study {
  constructor(model, ply) {
    this.model = model;
    this.ply = ply;
    this.moves = [];
    /** How many of its moves are shown. */
    this.at = 0;
  }

  /** The position to ask about, as the arbiter's desk reads it. */
  get place() {
    return { fen: this.model.fenAfter(this.ply), variant: this.model.variant, moves: this.moves.slice(0, this.at).map(({ uci }) => uci).join(' ') };
  }

  /** The men after the moves that are shown. */
  men() {
    let men = this.model.menAfter(this.ply);
    for (const { uci } of this.moves.slice(0, this.at)) men = play(men, uci, this.model.variant).men;
    return men;
  }

  /** Who is on move there. */
  get turn() {
    const { turn } = read(this.model.fenAfter(this.ply));
    return this.at % 2 === 0 ? turn : turn === 'white' ? 'black' : 'white';
  }

  /** Tries a move; what the arbiter says of it. */
  async tries(text) {
    const report = await post('/arbiter/explain', { position: this.place, move: text });
    if (report.legal) {
      this.moves = [...this.moves.slice(0, this.at), { uci: report.uci, san: report.san }];
      this.at = this.moves.length;
    }
    return report;
  }

  /** The variation with its numbers. */
  text() {
    return this.moves.map(({ san }, index) => {
      const { number, isBlack } = numbering(this.model.startFen, this.ply + index);
      return isBlack ? (index === 0 ? `${number}… ${san}` : san) : `${number}. ${san}`;
    }).join(' ');
  }
}

/** A game as PGN with variations beside its moves: the tags come from the server's own PGN. */
export function pgnWith(pgn, model, studies) {
  const tags = pgn.split('\n').filter((line) => line.startsWith('[')).join('\n');
  const words = [];
  let isAfterVariation = true;
  model.history.forEach(({ san }, ply) => {
    const { number, isBlack } = numbering(model.startFen, ply);
    if (!isBlack) words.push(`${number}.`);
    else if (isAfterVariation) words.push(`${number}...`);
    words.push(san);
    isAfterVariation = false;
    for (const study of studies.filter((one) => one.ply === ply && one.moves.length)) {
      words.push(`(${study.text().replace(/(\d+)… /g, '$1... ')})`);
      isAfterVariation = true;
    }
  });
  // What was tried from the last position goes on behind the game as a variation of nothing, so it is a comment.
  for (const study of studies.filter((one) => one.ply === model.history.length && one.moves.length)) words.push(`{ ${study.text()} }`);
  words.push(model.state.result);
  return `${tags}\n\n${words.join(' ').replace(/(.{1,78})(?: |$)/g, '$1\n')}`;
}
