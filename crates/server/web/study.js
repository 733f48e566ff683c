// Studies: variations that somebody tries after the game. The arbiter is asked whether each move is legal.

import { post } from './http.js';
import { storage } from './storage.js';
import { applyMove, moveNumber, opposite, readFen } from './fen.js';

/** Of so many games the variations are stored in the browser; then those of the oldest are removed. */
const MAX_STUDIES = 40;

/** Stores the variations of a game in this browser. */
export function saveStudies(game, studies) {
  const { [game]: _, ...others } = storage.get('studies', {});
  const own = studies.filter((study) => study.moves.length).map(({ ply, moves }) => ({ ply, moves }));
  const games = Object.entries({ ...others, ...(own.length ? { [game]: own } : {}) });
  storage.set('studies', Object.fromEntries(games.slice(-MAX_STUDIES)));
}

/** The variations of a game that this browser has stored, without those that do not fit it. */
export function loadStudies(model) {
  const stored = storage.get('studies', {})?.[model.game];
  const isMove = (move) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move?.uci) && typeof move.san === 'string';
  const isStudy = (one) => Number.isInteger(one?.ply) && one.ply >= 0 && one.ply <= model.history.length
    && Array.isArray(one.moves) && one.moves.length > 0 && one.moves.every(isMove);
  return (Array.isArray(stored) ? stored : []).filter(isStudy)
    .map(({ ply, moves }) => Object.assign(new Study(model, ply), { moves, shownMoves: moves.length }));
}

/** A variation from a position of a finished game. */
export class Study {
  constructor(model, ply) {
    this.model = model;
    this.ply = ply;
    this.moves = [];
    /** How many of its moves are shown. */
    this.shownMoves = 0;
  }

  /** The position that is shown, as the arbiter reads it. */
  get position() {
    return { fen: this.model.fenAfter(this.ply), variant: this.model.variant, moves: this.moves.slice(0, this.shownMoves).map(({ uci }) => uci).join(' ') };
  }

  /** The pieces after the moves that are shown. */
  get pieces() {
    let pieces = this.model.piecesAfter(this.ply);
    for (const { uci } of this.moves.slice(0, this.shownMoves)) pieces = applyMove(pieces, uci, this.model.variant).pieces;
    return pieces;
  }

  /** The last move that is shown. */
  get lastMove() { return this.moves[this.shownMoves - 1]?.uci; }

  /** Who is to move in the position that is shown. */
  get turn() {
    const { turn } = readFen(this.model.fenAfter(this.ply));
    return this.shownMoves % 2 === 0 ? turn : opposite(turn);
  }

  /** Asks the arbiter about a move, and adds it if it is legal. Returns the arbiter's report. */
  async tryMove(text) {
    const report = await post('/arbiter/explain', { position: this.position, move: text });
    if (report.legal) {
      this.moves = [...this.moves.slice(0, this.shownMoves), { uci: report.uci, san: report.san }];
      this.shownMoves = this.moves.length;
    }
    return report;
  }

  /** The variation with move numbers. */
  text() {
    return this.moves.map(({ san }, index) => {
      const { number, isBlack } = moveNumber(this.model.startFen, this.ply + index);
      return isBlack ? (index === 0 ? `${number}… ${san}` : san) : `${number}. ${san}`;
    }).join(' ');
  }
}

/** A game as PGN with variations beside its moves. The tags are those of the server's own PGN. */
export function pgnWithStudies(pgn, model, studies) {
  const tags = pgn.split('\n').filter((line) => line.startsWith('[')).join('\n');
  const words = [];
  let isAfterVariation = true;
  model.history.forEach(({ san }, ply) => {
    const { number, isBlack } = moveNumber(model.startFen, ply);
    if (!isBlack) words.push(`${number}.`);
    else if (isAfterVariation) words.push(`${number}...`);
    words.push(san);
    isAfterVariation = false;
    for (const study of studies.filter((one) => one.ply === ply && one.moves.length)) {
      words.push(`(${study.text().replace(/(\d+)… /g, '$1... ')})`);
      isAfterVariation = true;
    }
  });
  // A variation from the last position has no move that it could stand beside, so it is a comment.
  for (const study of studies.filter((one) => one.ply === model.history.length && one.moves.length)) words.push(`{ ${study.text()} }`);
  words.push(model.state.result);
  return `${tags}\n\n${words.join(' ').replace(/(.{1,78})(?: |$)/g, '$1\n')}`;
}
