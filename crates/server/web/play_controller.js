// Playing at a table: moves by board and text field, premoves, promotion, and the buttons of a player.

import { $, el, showDialog } from './dom.js';
import { post } from './http.js';
import { t } from './i18n.js';
import { SQUARES, applyMove, capturesExplode, colorOf, fromSquare, isPromotion, readFen, squareIndex, toSquare } from './fen.js';
import { pieceElement } from './board.js';
import { BoardInput } from './board_input.js';
import { explosionOf } from './explosion.js';
import { playSound } from './sound.js';

const TYPING_PAUSE_MS = 150;
const PROMOTION_ROLES = ['q', 'r', 'b', 'n'];
const MIN_PROMOTION_BUTTON_PX = 48;

/** Reads what a player does, and sends it to the server. Calls `render()`, or `renderMarks()` where that is enough. */
export class PlayController {
  constructor({ model, shown, board, announcer, announcements, premoves, replay, socket, render, renderMarks }) {
    this.model = model;
    this.shown = shown;
    this.board = board;
    this.announcer = announcer;
    this.announcements = announcements;
    this.premoves = premoves;
    this.replay = replay;
    this.socket = socket;
    this.render = render;
    this.renderMarks = renderMarks;
    this.input = new BoardInput(board, this);
    /** The own move that was sent and is not answered yet. */
    this.pendingMove = null;
    /** What the move under the pointer or in the text field would do: `{from, to, hovered, exploding, shapes}`. */
    this.preview = null;
  }

  /** The pieces of the game after the own move that is on its way to the server. */
  get piecesAfterPending() {
    const { model } = this;
    const pieces = model.piecesAfter(model.history.length);
    return this.pendingMove ? applyMove(pieces, this.pendingMove, model.variant).pieces : pieces;
  }

  /** The pieces that the board shows. */
  get pieces() {
    return this.shown.isLatest ? this.premoves.piecesAfterPremoves(this.piecesAfterPending, this.model.variant) : this.shown.pieces;
  }

  /** The castling that a king's move to this square means, if any. */
  castlingMove(from, to) {
    const { model } = this;
    return model.legalMoves.filter((move) => move.startsWith(SQUARES[from])).find((uci) => {
      const move = applyMove(this.pieces, uci, model.variant);
      return move.castlingSide && (move.to === to || move.steps[1][0] === to);
    });
  }

  premoveTargets(from) {
    const { model } = this;
    return this.premoves.targets(this.piecesAfterPending, readFen(model.state.fen).castling, model.variant, from, model.you);
  }

  /** The squares that are marked as targets of a piece: of legal moves, or of premoves. */
  targetsOf(from) {
    const { model } = this;
    if (model.isYourTurn && !this.pendingMove) {
      const targets = model.targets(SQUARES[from]).map(squareIndex);
      if (model.variant !== 'chess960' || this.pieces[from].toLowerCase() !== 'k') return targets;
      // In Chess960 castling is written as a move onto the rook, but people also go where the king ends up.
      const moves = targets.map((to) => applyMove(this.pieces, SQUARES[from] + SQUARES[to], model.variant));
      return [...targets, ...moves.filter((move) => move.castlingSide).map((move) => move.to)];
    }
    if (model.you && !model.isOver) return this.premoveTargets(from);
    return [];
  }

  // The handlers of the board's input.

  canPickUp(square) {
    const { model, shown } = this;
    const piece = this.pieces[square];
    if (piece === '') return false;
    if (model.isOver) return !shown.line && colorOf(piece) === (shown.study?.turn ?? readFen(model.fenAfter(shown.ply)).turn);
    return shown.isLatest && !model.hasOpenSeat && colorOf(piece) === model.you;
  }

  isReselection(from, to) {
    return this.canPickUp(to) && !this.targetsOf(from).includes(to);
  }

  onSelect(square) {
    if (square >= 0 && this.announcer.kind === 'refusal') this.announcer.clear();
    this.renderMarks();
  }

  /** Previews the move to the square under the pointer, above all whom an explosion would hit. */
  onHover(from, to) {
    const { model } = this;
    if (from < 0 || to < 0) {
      if (!this.preview) return;
      this.preview = null;
      if (this.announcer.kind === 'preview') this.announcements.announceStatus();
      this.renderMarks();
      return;
    }
    if (this.preview?.to === to && this.preview.from === from) return;
    const before = this.preview;
    const uci = SQUARES[from] + SQUARES[to];
    const isTarget = this.targetsOf(from).includes(to);
    const explosion = isTarget && capturesExplode(model.variant) ? explosionOf(this.pieces, uci, model.variant, model.you) : null;
    this.preview = { from, to, hovered: isTarget && !explosion ? to : -1, exploding: explosion?.squares ?? [], shapes: explosion?.shapes ?? [] };
    if (explosion) this.announcer.showPreview(explosion.text, t('letGo'));
    else if (before?.shapes.length && this.announcer.kind === 'preview') this.announcements.announceStatus();
    this.renderMarks();
  }

  /** Somebody has tried a move: it is played, entered as a premove, or tried in a variation. */
  async onMove(from, to, isDragged) {
    const { model } = this;
    const uci = SQUARES[from] + SQUARES[to];
    const piece = this.pieces[from];
    const promotes = isPromotion(piece, to, model.variant);
    if (model.isOver) {
      const letter = promotes ? await this.choosePromotion(to, colorOf(piece)) : '';
      if (letter !== null) this.replay.tryMove(uci + letter);
      return;
    }
    if (!model.isYourTurn || this.pendingMove) {
      if (!this.premoveTargets(from).includes(to)) return;
      const letter = promotes ? await this.choosePromotion(to, colorOf(piece)) : '';
      if (letter === null) return;
      if (model.isYourTurn && !this.pendingMove) this.playMove(uci + letter);
      else this.addPremove(uci + letter);
      return;
    }
    const matches = model.legalMoves.filter((move) => move.startsWith(uci));
    if (matches.length > 1) {
      const letter = await this.choosePromotion(to, model.you);
      const move = matches.find((one) => one[4] === letter);
      if (move && model.legalMoves.includes(move)) this.playMove(move, isDragged);
      else this.render();
      return;
    }
    // An illegal move is sent too: the server says why it is illegal.
    const legal = matches[0] ?? this.castlingMove(from, to);
    this.playMove(legal ?? uci + (promotes ? 'q' : ''), isDragged, legal !== undefined);
  }

  /** Asks what a pawn promotes to. Returns the letter, or null if the dialog was closed. */
  choosePromotion(to, color) {
    const [column, row] = this.board.columnAndRow(to);
    return new Promise((resolve) => {
      let letter = null;
      const button = (role) => el('button', { type: 'button', 'aria-label': t(`Pieces.${role}`), onclick: () => { letter = role; dialog.close(); } },
        pieceElement(color === 'white' ? role.toUpperCase() : role));
      const dialog = el('dialog', { class: 'promotion', 'aria-label': t('promote') }, PROMOTION_ROLES.map(button));
      dialog.addEventListener('close', () => resolve(letter));
      const box = this.board.grid.getBoundingClientRect();
      const side = box.width / 8;
      const width = Math.max(side, MIN_PROMOTION_BUTTON_PX);
      dialog.style.setProperty('--square-size', `${width}px`);
      dialog.style.left = `${Math.max(0, Math.min(box.left + column * side, innerWidth - width - 4))}px`;
      dialog.style.top = `${Math.max(4, row === 0 ? box.top : box.bottom - 4 * width)}px`;
      showDialog(dialog);
    });
  }

  // Moves.

  /** Plays a move. A legal one is shown at once, and put back if the server refuses it after all. */
  async playMove(move, isDragged = false, isLegal = true) {
    const { model } = this;
    this.preview = null;
    if (isLegal && model.legalMoves.includes(move)) {
      const { exploded, to } = applyMove(this.pieces, move, model.variant);
      this.pendingMove = move;
      this.board.draw(this.pieces, { isAnimated: !isDragged });
      if (exploded.length) this.board.showExplosion(to);
      this.renderMarks();
    }
    const { fen } = model.state;
    const answer = await this.socket.send({ move, seen: model.state.seq });
    if (answer.accepted) return true;
    if (this.pendingMove === move) this.pendingMove = null;
    this.premoves.clear();
    this.showRefusal(answer, move, fen);
    this.render();
    return false;
  }

  addPremove(uci) {
    this.premoves.add(uci);
    this.announcer.showNews(t('premoveSet', { move: uci }));
    this.render();
  }

  /** Plays the first premove if it is this player's turn. */
  playFirstPremove() {
    const { model } = this;
    if (this.premoves.isEmpty) return;
    if (model.isOver) { this.premoves.clear(); this.render(); return; }
    if (!model.isYourTurn || this.pendingMove || !model.legalMoves.length) return;
    const next = this.premoves.takeFirst();
    if (model.legalMoves.includes(next)) {
      this.shown.ply = model.history.length;
      this.playMove(next);
    } else {
      this.premoves.clear();
      this.announcer.appendNews(t('premovesGone', { move: next }));
    }
    this.render();
  }

  /** Why the server has refused something; for a move with its text and the position it was for. */
  showRefusal(answer, move = '', fen = '') {
    playSound('refusal');
    this.announcer.showRefusal({
      text: answer.text, squares: answer.squares, didYouMean: answer.did_you_mean, input: move,
      position: move ? { fen, variant: this.model.variant } : null,
      onSuggestion: (suggestion) => this.playMove(suggestion),
    });
  }

  // The text field.

  /** Plays the move in the text field, or tries it in a variation. */
  async submitText() {
    const { model } = this;
    const text = $('move').value.trim();
    if (!text) return;
    $('move').value = '';
    this.stopTextPreview();
    this.preview = null;
    if (model.isOver) { this.replay.tryMove(text); return; }
    if (!this.shown.isLatest) this.replay.showPly(model.history.length);
    if (!model.isYourTurn && /^[a-h][1-8][a-h][1-8][qrbn]?$/i.test(text)) {
      this.premoves.add(text.toLowerCase());
      this.announcer.showNews(t('premoveSet', { move: text }));
      this.render();
      return;
    }
    const legal = model.legalMoves.find((move) => move === text.toLowerCase());
    if (await this.playMove(legal ?? text) === false) {
      $('move').value = text;
      $('move').select();
    }
  }

  /** Previews the move in the text field, once the server can read it as a legal one. */
  previewText() {
    this.stopTextPreview();
    const text = $('move').value.trim();
    const { model } = this;
    if (this.announcer.kind === 'preview') { this.preview = null; this.announcements.announceStatus(); this.renderMarks(); }
    if (text.length < 2 || !model.isYourTurn || !this.shown.isLatest) return;
    this.typingTimer = setTimeout(async () => {
      this.previewRequest = new AbortController();
      const { fen } = model.state;
      try {
        const report = await post('/arbiter/explain', { position: { fen, variant: model.variant }, move: text }, this.previewRequest.signal);
        if (!report.legal || $('move').value.trim() !== text || model.state.fen !== fen) return;
        const explosion = explosionOf(this.pieces, report.uci, model.variant, model.you);
        const [from, to] = [fromSquare(report.uci), toSquare(report.uci)];
        this.preview = { from, to, hovered: to, exploding: explosion?.squares ?? [], shapes: explosion?.shapes ?? [{ kind: 'arrow', from, to }] };
        this.announcer.showPreview(explosion?.text ?? report.text, t('enterPlays'));
        this.renderMarks();
      } catch { /* without an answer there is no preview */ }
    }, TYPING_PAUSE_MS);
  }

  stopTextPreview() {
    clearTimeout(this.typingTimer);
    this.previewRequest?.abort();
  }

  // The buttons.

  /** Sends a command, and shows why it was refused. */
  async send(command) {
    const answer = await this.socket.send(command);
    if (!answer.accepted) this.showRefusal(answer);
    return answer;
  }

  /** Claims a draw; with the move in the text field, if there is one. */
  claimDraw() {
    const move = $('move').value.trim();
    this.send(move ? { command: 'claim', move } : { command: 'claim' });
  }

  /** Resigns after a second question. */
  confirmResign() {
    const yes = el('button', { type: 'button', class: 'danger', onclick: () => { this.announcer.clear(); this.send({ command: 'resign' }); } }, t('yesResign'));
    const no = el('button', { type: 'button', onclick: () => { this.announcements.announceStatus(); $('move').focus(); } }, t('no'));
    this.announcer.showNews(t('reallyResign'), [yes, no]);
    yes.focus();
  }

  /** Cancels the selection, premoves, a refusal and drawn arrows. */
  cancelAll() {
    this.input.release();
    if (this.premoves.clear()) this.announcer.showNews(t('premovesCancelled'));
    else if (this.announcer.kind === 'refusal') this.announcements.announceStatus();
    this.input.setShapes([]);
    this.render();
  }
}
