// Which position a table's board shows: one of the game, one of a variation, or one of a line that is replayed.

/** The position that is shown. At most one of `study` and `line` is set. */
export class ShownPosition {
  constructor(model) {
    this.model = model;
    /** After how many plies of the game. */
    this.ply = 0;
    /** The variation that is shown instead of the game. */
    this.study = null;
    /** The line that is replayed instead of the game: `{moves, sans, from, positions, shownMoves, …}`. */
    this.line = null;
  }

  /** Whether it is the current position of the game. */
  get isLatest() { return this.ply >= this.model.history.length && !this.study && !this.line; }

  /** After how many plies the game is left. */
  get gamePly() { return this.study ? this.study.ply : this.line ? this.line.from : this.ply; }

  /** Shows a position of the game. */
  setPly(ply) {
    this.ply = ply;
    this.leaveGameLines();
  }

  /** Shows the game again, not a variation or a line. */
  leaveGameLines() {
    this.study = null;
    this.line = null;
  }

  /** The pieces that are shown; at the latest position these are those of the game. */
  get pieces() {
    if (this.line) return this.line.positions[this.line.shownMoves];
    if (this.study) return this.study.pieces;
    return this.model.piecesAfter(Math.min(this.ply, this.model.history.length));
  }

  /** The move that led to the position, if any. */
  get lastMove() {
    if (this.line) return this.line.moves[this.line.shownMoves - 1];
    if (this.study) return this.study.lastMove;
    return this.model.history[this.ply - 1]?.move;
  }
}
