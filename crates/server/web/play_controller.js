// Playing at a table: what the hand and the keyboard try, what is planned, and what becomes of it.

import { $, el, showDialog } from './dom.js';
import { post } from './http.js';
import { t } from './i18n.js';
import { SQUARES, at, colorOf, explodes, play, read } from './fen.js';
import { manElement } from './board.js';
import { blastOf } from './explosion.js';
import { sound } from './sound.js';
import { Replay } from './replay_controller.js';

/** A table at which one can play. */
export class Playing extends Replay {
  /** The castling that a king's move to this square means, if it means nothing else. */
  castling(from, to) {
    const { model } = this;
    return model.moves.filter((move) => move.startsWith(SQUARES[from])).find((move) => {
      const done = play(this.men, move, model.variant);
      return done.castles && (done.to === to || done.steps[1][0] === to);
    });
  }

  /** The men of the game, after the own move that is on its way to the server. */
  get standing() {
    const { model } = this;
    const men = model.menAfter(model.history.length);
    return this.pending ? play(men, this.pending, model.variant).men : men;
  }

  /** Where a man might go when the turn comes again. */
  plannedTargets(from) {
    const { model } = this;
    return this.premoves.targets(this.standing, read(model.state.fen).castling, model.variant, from, model.you);
  }

  targetsOf(from) {
    const { model } = this;
    if (model.isYourTurn && !this.pending) {
      const targets = model.targets(SQUARES[from]).map(at);
      if (model.variant !== 'chess960' || this.men[from].toLowerCase() !== 'k') return targets;
      // In Chess960 castling is written as a move onto the rook, but people also go where the king ends up.
      return [...targets, ...targets.map((to) => play(this.men, SQUARES[from] + SQUARES[to], model.variant)).filter((done) => done.castles).map((done) => done.to)];
    }
    if (model.you && !model.isOver) return this.plannedTargets(from);
    return [];
  }

  lifts(square) {
    const { model } = this;
    const man = this.men[square];
    if (man === '') return false;
    if (model.isOver) return !this.line && colorOf(man) === (this.study?.turn ?? read(model.fenAfter(this.ply)).turn);
    return this.isTip && !model.isWaiting && colorOf(man) === model.you;
  }

  reselects(from, to) {
    return this.lifts(to) && !this.targetsOf(from).includes(to);
  }

  selected(square) {
    this.from = square;
    if (square >= 0 && this.voice.kind === 'refusal') this.voice.hush();
    this.renderMarks();
  }

  aims(from, to) {
    const { model } = this;
    if (from < 0 || to < 0) {
      if (!this.aim) return;
      this.aim = null;
      if (this.voice.kind === 'preview') this.greet([]);
      this.renderMarks();
      return;
    }
    if (this.aim?.to === to && this.aim.from === from) return;
    const had = this.aim;
    const uci = SQUARES[from] + SQUARES[to];
    const isTarget = this.targetsOf(from).includes(to);
    const blast = isTarget && explodes(model.variant) ? blastOf(this.men, uci, model.variant, model.you) : null;
    this.aim = { from, to, square: isTarget && !blast ? to : -1, ...(blast ?? {}) };
    if (blast) this.voice.preview(blast.text, t('letGo'));
    else if (had?.shapes && this.voice.kind === 'preview') this.greet([]);
    this.renderMarks();
  }

  async tries(from, to, isDragged = false) {
    const { model } = this;
    const uci = SQUARES[from] + SQUARES[to];
    const man = this.men[from];
    const isLastRank = man.toLowerCase() === 'p' && (to >> 3) % 7 === 0 && model.variant !== 'simple-atomic';
    if (model.isOver) {
      const letter = isLastRank ? await this.choose(to, colorOf(man)) : '';
      if (letter !== null) this.tryStudy(uci + letter);
      return;
    }
    if (!model.isYourTurn || this.pending) {
      if (!this.plannedTargets(from).includes(to)) return;
      const letter = isLastRank ? await this.choose(to, colorOf(man)) : '';
      if (letter === null) return;
      if (model.isYourTurn && !this.pending) { this.playMove(uci + letter); return; }
      this.premoves.add(uci + letter);
      this.voice.news(t('premoveSet', { move: uci + letter }));
      this.render();
      return;
    }
    const fits = model.moves.filter((move) => move.startsWith(uci));
    if (fits.length > 1) {
      const letter = await this.choose(to, model.you);
      const chosen = fits.find((move) => move[4] === letter);
      if (chosen && this.model.moves.includes(chosen)) this.playMove(chosen, isDragged);
      else this.render();
      return;
    }
    // What is not in the list is asked for all the same: the server says why not.
    const legal = fits[0] ?? this.castling(from, to);
    this.playMove(legal ?? uci + (isLastRank ? 'q' : ''), isDragged, legal !== undefined);
  }

  /** Asks what a pawn becomes; the letter, or nothing if it stays where it was. */
  choose(to, color) {
    const [column, row] = this.board.place(to);
    return new Promise((done) => {
      let letter = null;
      const button = (role) => el('button', { type: 'button', 'aria-label': t(`Pieces.${role}`), onclick: () => { letter = role; dialog.close(); } },
        manElement(color === 'white' ? role.toUpperCase() : role));
      const dialog = el('dialog', { class: 'promotion', 'aria-label': t('promote') }, ['q', 'r', 'b', 'n'].map(button));
      dialog.addEventListener('close', () => done(letter));
      const box = this.board.grid.getBoundingClientRect();
      const side = box.width / 8;
      dialog.style.setProperty('--side', `${Math.max(side, 48)}px`);
      const width = Math.max(side, 48);
      dialog.style.left = `${Math.max(0, Math.min(box.left + column * side, innerWidth - width - 4))}px`;
      dialog.style.top = `${Math.max(4, row === 0 ? box.top : box.bottom - 4 * width)}px`;
      showDialog(dialog);
    });
  }

  /** Plays a move: shown at once if it is legal, and put back if it is refused after all. */
  async playMove(move, isDragged = false, isLegal = true) {
    const { model } = this;
    this.aim = null;
    if (isLegal && model.moves.includes(move)) {
      const before = this.men;
      this.pending = move;
      const done = play(before, move, model.variant);
      this.board.draw(this.men, { glides: !isDragged });
      if (done.blast.length) this.board.explode(done.to);
      this.renderMarks();
    }
    const fen = model.state.fen;
    const answer = await this.live.send({ move, seen: model.state.seq });
    if (answer.accepted) return true;
    if (this.pending === move) this.pending = null;
    this.premoves.clear();
    this.refuse(answer, move, fen);
    this.render();
    return false;
  }

  refuse(answer, typed, fen) {
    sound('refuse');
    const { model } = this;
    this.voice.refuse({
      text: answer.text, squares: answer.squares, didYouMean: answer.did_you_mean, typed,
      place: typed ? { fen, variant: model.variant } : null,
      plays: (move) => this.playMove(move),
    });
  }

  /** Plays what was planned, if its turn has come. */
  playPlanned() {
    const { model } = this;
    if (this.premoves.isEmpty) return;
    if (model.isOver) { this.premoves.clear(); this.render(); return; }
    if (!model.isYourTurn || this.pending || !model.moves.length) return;
    const next = this.premoves.take();
    if (model.moves.includes(next)) {
      this.ply = model.history.length;
      this.playMove(next);
      this.render();
    } else {
      this.premoves.clear();
      this.voice.news(`${this.voice.status.textContent} ${t('premovesGone', { move: next })}`.trim());
      this.render();
    }
  }

  /** Shows what a move that is being typed would do, once it can be read as one. */
  previewTyped() {
    clearTimeout(this.typing);
    this.reading?.abort();
    const text = $('move').value.trim();
    const { model } = this;
    if (this.voice.kind === 'preview') { this.aim = null; this.greet([]); this.renderMarks(); }
    if (text.length < 2 || !model.isYourTurn || !this.isTip) return;
    this.typing = setTimeout(async () => {
      this.reading = new AbortController();
      const { fen } = model.state;
      try {
        const report = await post('/arbiter/explain', { position: { fen, variant: model.variant }, move: text }, this.reading.signal);
        if (!report.legal || $('move').value.trim() !== text || model.state.fen !== fen) return;
        const blast = blastOf(this.men, report.uci, model.variant, model.you);
        const [from, to] = [at(report.uci.slice(0, 2)), at(report.uci.slice(2, 4))];
        this.aim = { from, to, square: to, ...(blast ?? {}), shapes: blast?.shapes ?? [{ kind: 'arrow', from, to }] };
        this.voice.preview(blast?.text ?? report.text, t('enterPlays'));
        this.renderMarks();
      } catch { /* without an answer there is no preview */ }
    }, 150);
  }
}
