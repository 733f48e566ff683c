// The game as the page knows it: a fold of what the server has said.

import { read } from './fen.js';

/** A table with its game. */
export class Model {
  constructor() {
    this.game = '';
    this.you = null;
    this.terms = null;
    this.history = [];
    this.state = null;
    this.moves = [];
    this.presence = null;
    this.open = { white: false, black: false };
    this.chat = null;
    this.rematch = null;
    this.heardAt = 0;
  }

  /** Whether everything that was said fits together; if not, the whole state should be asked for. */
  hear(message) {
    switch (message.type) {
      case 'state':
        this.game = message.game;
        this.you = message.you;
        this.terms = message.terms;
        this.history = message.history;
        this.open = message.open ?? { white: false, black: false };
        this.presence = message.presence ?? this.presence;
        if (message.chat) this.chat = message.chat;
        if ('rematch' in message) this.rematch = message.rematch;
        this.stands(message);
        return true;
      case 'decided':
        for (const event of message.events) this.happens(event, message.state);
        this.stands(message);
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

  stands(message) {
    this.state = message.state;
    this.moves = message.moves ?? [];
    this.heardAt = performance.now();
  }

  happens(event, state) {
    if (event.event === 'moved') this.history.push({ move: event.move, san: event.san, fen: state.fen, clock: event.clock, lag: event.lag });
    if (event.event === 'taken_back') this.history.length -= Math.min(event.plies, this.history.length);
    if (event.event === 'seated') this.open[event.by] = false;
  }

  get startFen() { return this.terms.start; }

  get variant() { return this.terms.variant; }

  get isOver() { return this.state.status !== 'ongoing'; }

  get isWaiting() { return this.open.white || this.open.black; }

  get isYourTurn() { return this.you !== null && !this.isOver && !this.isWaiting && this.state.turn === this.you; }

  /** The FEN after so many plies. */
  fenAfter(plies) {
    return plies === 0 ? this.startFen : this.history[plies - 1].fen;
  }

  /** What stands where after so many plies. */
  menAfter(plies) { return read(this.fenAfter(plies)).men; }

  /** Whether nobody ever came to the other side. */
  get isAlone() { return this.state.players.white === null || this.state.players.black === null; }

  /** The name of a player, or what he is called without one. */
  name(color, words) {
    const name = this.state.players[color];
    return name === null ? words(this.isOver ? 'nobody' : 'openSeat') : name || words(`Colors.${color}`);
  }

  /** The targets of a man by the server's list. */
  targets(square) {
    return this.moves.filter((move) => move.startsWith(square)).map((move) => move.slice(2, 4));
  }
}
