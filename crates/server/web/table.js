// The page of a table: playing, watching, looking back. It shows what the server has decided, and asks it for everything.

import { $, el, firstPaint, prefersReducedMotion, show } from './dom.js';
import { language, t, translate } from './i18n.js';
import { fromSquare, moveNumber, opposite, readFen, toSquare } from './fen.js';
import { Board } from './board.js';
import { GameModel } from './game_model.js';
import { GameSocket } from './game_socket.js';
import { ShownPosition } from './shown_position.js';
import { PlayerBars } from './player_bars.js';
import { Announcer } from './announcer.js';
import { GameAnnouncements } from './game_announcements.js';
import { MoveList, icon, stepButtons } from './move_list.js';
import { Premoves } from './premoves.js';
import { PlayController } from './play_controller.js';
import { ReplayController } from './replay_controller.js';
import { TableMessages } from './table_messages.js';
import { fillActions } from './actions.js';
import { openSettings } from './settings.js';
import { isSoundOn, playSound, setSoundOn } from './sound.js';

/** More steps than any game has moves. */
const ALL_STEPS = 10_000;
const KEY_STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ALL_STEPS, ArrowDown: ALL_STEPS };

/** The page with its parts. It builds them, gives each the others it needs, and renders what they change. */
class TablePage {
  constructor(state) {
    const render = () => this.render();
    const model = new GameModel();
    const shown = new ShownPosition(model);
    const board = new Board($('board'));
    const announcer = new Announcer($('announcer'), board);
    const announcements = new GameAnnouncements(model, shown, announcer);
    const premoves = new Premoves();
    const socket = new GameSocket(state.game, {
      onMessage: (message) => this.messages.onMessage(message),
      onConnectionChange: (isConnected) => this.messages.onConnectionChange(isConnected),
    });
    const replay = new ReplayController({
      model, shown, announcer, announcements, render, clearSelection: () => this.play.input.forgetSelection(),
    });
    const play = new PlayController({
      model, shown, board, announcer, announcements, premoves, replay, socket, render, renderMarks: () => this.renderMarks(),
    });
    this.messages = new TableMessages({ model, shown, board, announcer, announcements, premoves, play, socket, render });
    Object.assign(this, { model, shown, board, premoves, socket, replay, play });
    this.players = new PlayerBars();
    this.moveList = new MoveList($('moves'), (ply) => replay.showPly(ply));
    this.isFlipped = false;
    this.isWatching = false;
    const side = new URLSearchParams(location.search).get('color');
    this.preferredSide = ['white', 'black', 'random'].includes(side) ? side : null;
    this.addListeners();
    this.messages.onMessage(state);
    socket.open();
  }

  // What is shown.

  /** The colour at the bottom of the board. */
  get orientation() {
    const { you, openSeats } = this.model;
    // A visitor sees the board from the seat that he may take, or that the link names.
    const prefersBlack = this.preferredSide === 'black';
    const mayBeBlack = openSeats.black ? (!openSeats.white || prefersBlack) && !this.isWatching : !openSeats.white && prefersBlack;
    const color = you ?? (mayBeBlack ? 'black' : 'white');
    return this.isFlipped ? opposite(color) : color;
  }

  /** Variant and time control as a text. */
  get termsText() {
    const { model } = this;
    return [t(`variants.${model.variant}`), model.terms.time ?? t('noClock')].join(' · ');
  }

  render() {
    const { model, play } = this;
    if (play.input.from >= 0 && !play.canPickUp(play.input.from)) play.input.release();
    this.board.setOrientation(this.orientation);
    this.board.draw(play.pieces);
    this.renderMarks();
    this.players.render(model, play.pieces, this.orientation);
    this.moveList.update(model, this.shown.gamePly);
    this.players.updateClocks(model);
    show(this.exportButton, !model.isOver);
    fillActions($('actions'), model, !this.premoves.isEmpty, play);
    this.renderPanel();
    this.renderTitle();
    this.updateWakeLock();
  }

  /** Marks squares and draws over the board. */
  renderMarks() {
    const { model, shown, play, premoves } = this;
    const { preview, pieces } = play;
    const { from } = play.input;
    const targets = from >= 0 ? play.targetsOf(from) : [];
    const isPending = play.pendingMove !== null && shown.isLatest;
    const last = isPending ? play.pendingMove : shown.lastMove;
    this.board.mark({
      last: last ? [fromSquare(last), toSquare(last)] : [],
      check: isPending ? [] : this.checkedKing(),
      selected: from >= 0 ? [from] : [],
      target: targets.filter((index) => pieces[index] === ''),
      'capture-target': targets.filter((index) => pieces[index] !== ''),
      premove: premoves.squares,
      exploding: preview?.exploding ?? [],
      hovered: preview?.hovered >= 0 ? [preview.hovered] : [],
    });
    this.board.overlay.draw('explosion', preview?.shapes ?? []);
    this.board.overlay.draw('premoves', premoves.arrows);
  }

  /** The square of the king in check in the position of the game that is shown. */
  checkedKing() {
    const { model, shown } = this;
    if (shown.line || shown.study) return [];
    const san = shown.ply > 0 ? model.history[shown.ply - 1].san : '';
    if (!(shown.isLatest ? model.state.check : /[+#]$/.test(san))) return [];
    const { pieces, turn } = readFen(model.fenAfter(shown.ply));
    return [pieces.indexOf(turn === 'white' ? 'K' : 'k')].filter((index) => index >= 0);
  }

  renderTitle() {
    const { model } = this;
    const parts = [this.termsText];
    if (model.history.length && !model.isOver) parts.push(t('moveNumber', { number: moveNumber(model.startFen, model.history.length).number }));
    if (model.presence?.watching) parts.push(t('watching', { count: model.presence.watching }));
    $('about').textContent = parts.join(' · ');
    const names = `${model.playerName('white', t)} – ${model.playerName('black', t)}`;
    $('title').textContent = names;
    document.title = `${model.isYourTurn ? '● ' : ''}${names} · touchmove`;
  }

  /** The panel: the invitation, the choice of a seat, or what follows after the game. */
  async renderPanel() {
    const { model } = this;
    const panel = $('panel');
    const isWaiting = model.hasOpenSeat && !model.isOver;
    show($('move-form'), (model.you !== null && !model.isOver && !model.hasOpenSeat) || model.isOver);
    show($('history'), !isWaiting);
    document.querySelector('main').classList.toggle('waiting', isWaiting);
    if (isWaiting && model.you) {
      show(panel);
      const { showInvite } = await import('./invite.js');
      if (model.hasOpenSeat) showInvite(panel, location.origin + location.pathname, () => this.play.send({ command: 'abort' }));
    } else if (isWaiting && !this.isWatching) {
      show(panel);
      const { showJoin } = await import('./invite.js');
      showJoin(panel, model, this.termsText, {
        preferredSide: this.preferredSide,
        onSeatTaken: () => { panel.replaceChildren(); this.socket.reopen(); },
        onWatch: () => { this.isWatching = true; this.render(); },
      });
    } else if (model.isOver) {
      show(panel);
      await this.renderGameOver(panel);
    } else {
      show(panel, false);
      panel.dataset.key = '';
    }
  }

  async renderGameOver(panel) {
    const { model, shown, replay } = this;
    const [{ fillGameOver }, { Review }] = await Promise.all([import('./game_over.js'), import('./review.js')]);
    await replay.loadStudies();
    if (model.history.length) {
      this.review ??= new Review(model, {
        showPly: (ply) => { replay.showPly(ply); this.scrollToBoard(); },
        showBetter: (turningPoint) => { replay.showBetter(turningPoint); this.scrollToBoard(); },
      });
    }
    this.review?.markPly(shown.line ? shown.line.from : shown.ply);
    fillGameOver(panel, model, {
      studies: replay.studies,
      review: this.review?.node,
      handlers: {
        send: (command) => this.play.send(command),
        showWinLine: (moves, color) => replay.showWinLine(moves, color),
        openStudy: (study) => replay.openStudy(study),
        shownPosition: () => this.shownPosition(),
      },
    });
  }

  /** On a phone the board may have been scrolled away. */
  scrollToBoard() { $('board').scrollIntoView({ block: 'nearest', behavior: prefersReducedMotion() ? 'auto' : 'smooth' }); }

  /** The position of the game that is shown, for diagrams and copies. */
  shownPosition() {
    const { model } = this;
    const ply = Math.min(this.shown.ply, model.history.length);
    return { fen: model.fenAfter(ply), side: this.orientation, last: model.history[ply - 1]?.move };
  }

  // Buttons and keys.

  addListeners() {
    const { model, play, replay } = this;
    $('steps').append(...stepButtons({
      first: () => replay.step(-ALL_STEPS), previous: () => replay.step(-1), next: () => replay.step(1), last: () => replay.step(ALL_STEPS),
    }));
    this.exportButton = el('button', { type: 'button', 'aria-label': t('exportTitle'), title: t('exportTitle'), class: 'export', onclick: async () => {
      const { openExportDialog } = await import('./game_over.js');
      openExportDialog(model, () => this.shownPosition());
    } }, icon('export'));
    $('steps').append(replay.autoplayButton, this.exportButton);
    $('flip').addEventListener('click', () => { this.isFlipped = !this.isFlipped; this.render(); });
    const showSound = () => { $('sound').setAttribute('aria-pressed', String(isSoundOn())); $('sound').title = t(isSoundOn() ? 'soundOn' : 'soundOff'); };
    $('sound').addEventListener('click', () => { setSoundOn(!isSoundOn()); showSound(); playSound('move'); });
    showSound();
    $('settings').addEventListener('click', openSettings);
    $('move-form').addEventListener('submit', (event) => { event.preventDefault(); play.submitText(); });
    $('move').addEventListener('input', () => play.previewText());
    document.addEventListener('keydown', (event) => this.onKeyDown(event));
    addEventListener('beforeunload', (event) => {
      if (model.you && !model.isOver && !model.hasOpenSeat && model.state.clocks) event.preventDefault();
    });
    document.addEventListener('visibilitychange', () => this.updateWakeLock());
  }

  onKeyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') { this.play.cancelAll(); return; }
    const isField = event.target.matches?.('input, textarea, select, summary');
    if (isField && !(event.target.id === 'move' && event.target.value === '')) return;
    if (event.key in KEY_STEPS) { event.preventDefault(); this.replay.step(KEY_STEPS[event.key]); return; }
    // The first letter of a move goes to the text field.
    if (!isField && !$('move-form').hidden && /^[a-hKQRBNOo0]$/.test(event.key)) $('move').focus();
  }

  /** Keeps the screen awake while this player's game goes on. */
  async updateWakeLock() {
    const { model } = this;
    const isNeeded = model.you && !model.isOver && !model.hasOpenSeat && !document.hidden;
    if (!isNeeded) { this.wakeLock?.release?.(); this.wakeLock = null; return; }
    if (this.wakeLock || !navigator.wakeLock) return;
    // Holds the place while the request is under way.
    this.wakeLock = {};
    try {
      this.wakeLock = await navigator.wakeLock.request('screen');
      this.wakeLock.addEventListener('release', () => { this.wakeLock = null; });
    } catch { /* where the browser refuses, the screen goes to sleep */ }
  }
}

translate();
document.documentElement.lang = language;
await firstPaint();
new TablePage(JSON.parse($('state').textContent));
document.documentElement.dataset.ready = 'yes';
