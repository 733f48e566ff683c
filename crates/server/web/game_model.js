// The game as the page knows it: built from the server's messages.

import { readFen } from './fen.js';

/** A table with its game. */
export class GameModel {
  constructor() {
    this.game = '';
    this.you = null;
    this.terms = null;
    this.history = [];
    this.state = null;
    this.legalMoves = [];
    this.presence = null;
    this.openSeats = { white: false, black: false };
    this.chat = null;
    this.rematch = null;
    this.receivedAt = 0;
  }

  /** Applies a message. Returns false if it does not fit what came before: then the whole state must be requested. */
  apply(message) {
    switch (message.type) {
      case 'state':
        this.game = message.game;
        this.you = message.you;
        this.terms = message.terms;
        this.history = message.history;
        this.openSeats = message.open ?? { white: false, black: false };
        this.presence = message.presence ?? this.presence;
        if (message.chat) this.chat = message.chat;
        if ('rematch' in message) this.rematch = message.rematch;
        this.setState(message);
        return true;
      case 'decided':
        for (const event of message.events) this.applyEvent(event, message.state);
        this.setState(message);
        return this.history.length === message.state.plies;
      case 'presence':
        this.presence = message;
        return true;
      case 'rematch':
        this.rematch = message;
        return true;
      default:
        return true;
    }
  }

  setState(message) {
    this.state = message.state;
    this.legalMoves = message.moves ?? [];
    this.receivedAt = performance.now();
  }

  applyEvent(event, state) {
    if (event.event === 'moved') this.history.push({ move: event.move, san: event.san, fen: state.fen, clock: event.clock, lag: event.lag });
    if (event.event === 'taken_back') this.history.length -= Math.min(event.plies, this.history.length);
    if (event.event === 'seated') this.openSeats[event.by] = false;
  }

  get startFen() { return this.terms.start; }

  get variant() { return this.terms.variant; }

  get isOver() { return this.state.status !== 'ongoing'; }

  get hasOpenSeat() { return this.openSeats.white || this.openSeats.black; }

  get isYourTurn() { return this.you !== null && !this.isOver && !this.hasOpenSeat && this.state.turn === this.you; }

  /** Whether one of the seats was never taken. */
  get hasMissingPlayer() { return this.state.players.white === null || this.state.players.black === null; }

  /** The FEN after so many plies. */
  fenAfter(plies) {
    return plies === 0 ? this.startFen : this.history[plies - 1].fen;
  }

  /** The pieces after so many plies. */
  piecesAfter(plies) { return readFen(this.fenAfter(plies)).pieces; }

  /** The name of a player; without one, a word from the translation function. */
  playerName(color, t) {
    const name = this.state.players[color];
    return name === null ? t(this.isOver ? 'nobody' : 'openSeat') : name || t(`Colors.${color}`);
  }

  /** The squares that the piece on a square may legally go to. */
  targets(square) {
    return this.legalMoves.filter((move) => move.startsWith(square)).map((move) => move.slice(2, 4));
  }
}
