// The page of a table: playing, watching, looking back. It shows what the server decided, and asks it for everything.

import { $, el, prefersReducedMotion, firstPaint, show } from './dom.js';
import { language, t, translate } from './i18n.js';
import { at, balance, numbering, other, play, read } from './fen.js';
import { Board, manElement } from './board.js';
import { Hand } from './board_input.js';
import { Model } from './game_model.js';
import { Live } from './game_socket.js';
import { Clocks } from './clock.js';
import { Voice } from './announcer.js';
import { Moves, sign, stepButtons } from './move_list.js';
import { Premoves } from './premoves.js';
import { fillActions } from './actions.js';
import { openSettings } from './settings.js';
import { setSound, sound, soundIsOn } from './sound.js';
import { Playing } from './play_controller.js';

class Table extends Playing {
  constructor(first) {
    super();
    this.model = new Model();
    this.board = new Board($('board'));
    this.hand = new Hand(this.board, this);
    this.voice = new Voice($('voice'), this.board);
    this.moves = new Moves($('moves'), (ply) => this.look(ply));
    this.premoves = new Premoves();
    this.pending = null;
    this.from = -1;
    this.ply = 0;
    this.flipped = false;
    this.isWatching = false;
    const wanted = new URLSearchParams(location.search).get('color');
    this.wants = ['white', 'black', 'random'].includes(wanted) ? wanted : null;
    this.studies = [];
    this.study = null;
    this.line = null;
    this.clocks = null;
    this.live = new Live(first.game, this);
    this.makeSides();
    this.listen();
    this.message(first);
    this.live.open();
  }

  // What is shown.

  get orientation() {
    const { you, open } = this.model;
    // Who comes by the link sees the board from the seat that waits for him, or that he was sent to.
    const isSent = this.wants === 'black';
    const waits = open.black ? (!open.white || isSent) && !this.isWatching : !open.white && isSent;
    const own = you ?? (waits ? 'black' : 'white');
    return this.flipped ? other(own) : own;
  }

  get isTip() { return this.ply >= this.model.history.length && !this.study && !this.line; }

  /** The men that the board shows now. */
  get men() {
    const { model } = this;
    if (this.line) return this.line.positions[this.line.at];
    if (this.study) return this.study.men();
    if (!this.isTip) return model.menAfter(this.ply);
    return this.premoves.men(this.standing, model.variant);
  }

  makeSides() {
    this.sides = {};
    for (const place of ['far', 'near']) {
      const node = $(place);
      const side = {
        node, dot: el('span', { class: 'dot', 'aria-hidden': 'true' }), name: el('span', { class: 'name' }),
        here: el('span', { class: 'here' }), lost: el('span', { class: 'lost', 'aria-hidden': 'true' }), slot: el('div', { class: 'slot' }),
      };
      node.replaceChildren(side.dot, side.name, side.here, side.lost, side.slot);
      this.sides[place] = side;
    }
    const clock = (color) => el('div', { role: 'timer', class: 'clock', 'aria-label': t(`${color}Clock`), hidden: true });
    this.clockNodes = { white: clock('white'), black: clock('black') };
    this.clocks = new Clocks(this.clockNodes);
  }

  render() {
    const { model } = this;
    if (this.from >= 0 && !this.lifts(this.from)) this.hand.release();
    this.board.turnTo(this.orientation);
    this.board.draw(this.men);
    this.renderMarks();
    this.renderSides();
    this.moves.set(model, this.study ? this.study.ply : this.line ? this.line.from : this.ply);
    this.clocks.set(model);
    show(this.keepButton, !model.isOver);
    fillActions($('actions'), model, this);
    this.renderPanels();
    this.renderAbout();
    this.wake();
  }

  renderMarks() {
    const { model } = this;
    const marks = { selected: [], target: [], prey: [], planned: [] };
    let last = null;
    let fen = null;
    if (this.line) last = this.line.moves[this.line.at - 1];
    else if (this.study) last = this.study.moves[this.study.at - 1]?.uci;
    else if (this.pending && this.isTip) last = this.pending;
    else {
      last = model.history[this.ply - 1]?.move;
      fen = model.fenAfter(this.ply);
    }
    if (last) marks.last = [at(last.slice(0, 2)), at(last.slice(2, 4))];
    const san = this.ply > 0 ? model.history[this.ply - 1].san : '';
    if (fen && (this.isTip ? model.state.check : /[+#]$/.test(san))) {
      const { men, turn } = read(fen);
      marks.check = [men.indexOf(turn === 'white' ? 'K' : 'k')].filter((index) => index >= 0);
    }
    if (this.from >= 0) {
      marks.selected = [this.from];
      const targets = this.targetsOf(this.from);
      marks.target = targets.filter((index) => this.men[index] === '');
      marks.prey = targets.filter((index) => this.men[index] !== '');
    }
    marks.planned = this.premoves.squares;
    if (this.aim?.doomed) marks.doomed = this.aim.doomed;
    if (this.aim?.square >= 0) marks.aim = [this.aim.square];
    this.board.mark(marks);
    this.board.art.draw('blast', this.aim?.shapes ?? []);
    this.board.art.draw('plans', this.premoves.arrows);
  }

  renderSides() {
    const { model } = this;
    const near = this.orientation;
    const lost = balance(this.men, model.menAfter(0));
    for (const [place, color] of [['near', near], ['far', other(near)]]) {
      const side = this.sides[place];
      const isOpen = model.open[color];
      const away = model.presence?.[`${color}_away`] ?? null;
      side.node.setAttribute('aria-label', t(`Colors.${color}`));
      side.node.className = `player ${place} ${color}${isOpen ? ' open' : ''}${!isOpen && !model.isOver && away === null ? ' present' : ''}`;
      side.name.textContent = model.name(color, t);
      side.here.textContent = isOpen || model.isOver ? '' : model.you === color ? t('you') : t(away === null ? 'here' : 'gone');
      const lead = color === 'white' ? lost.lead : -lost.lead;
      const taken = lost[other(color)].slice().reverse().map((man) => manElement(man, 'tiny'));
      side.lost.replaceChildren(...taken, lead > 0 ? `+${lead}` : '');
      if (side.slot.firstChild !== this.clockNodes[color]) side.slot.replaceChildren(this.clockNodes[color]);
    }
  }

  renderAbout() {
    const { model } = this;
    const parts = [t(`variants.${model.variant}`), model.terms.time ?? t('noClock')];
    if (model.history.length && !model.isOver) parts.push(t('moveNumber', { number: numbering(model.startFen, model.history.length).number }));
    if (model.presence?.watching) parts.push(t('watching', { count: model.presence.watching }));
    this.terms = parts.slice(0, 2).join(' · ');
    $('about').textContent = parts.join(' · ');
    const names = `${model.name('white', t)} – ${model.name('black', t)}`;
    $('title').textContent = names;
    document.title = `${model.isYourTurn ? '● ' : ''}${names} · touchmove`;
  }

  async renderPanels() {
    const { model } = this;
    const panel = $('panel');
    const waits = model.isWaiting && !model.isOver;
    const joins = waits && !model.you && !this.isWatching;
    show($('typed'), (model.you !== null && !model.isOver && !model.isWaiting) || model.isOver);
    show($('record'), !waits);
    document.querySelector('main').classList.toggle('waiting', waits);
    if (waits && model.you) {
      show(panel);
      const { showInvite } = await import('./invite.js');
      if (model.isWaiting) showInvite(panel, location.origin + location.pathname, () => this.send({ command: 'abort' }));
    } else if (joins) {
      show(panel);
      const { showJoin } = await import('./invite.js');
      showJoin(panel, model, this.terms, {
        wants: this.wants,
        taken: () => { panel.replaceChildren(); this.live.again(); },
        watches: () => { this.isWatching = true; this.render(); },
      });
    } else if (model.isOver) {
      show(panel);
      const [{ fillEnding }, { Review }] = await Promise.all([import('./game_over.js'), import('./review.js')]);
      await this.recall();
      this.review ??= model.history.length ? new Review(model, { look: (ply) => { this.look(ply); this.showBoard(); }, better: (turning) => { this.showBetter(turning); this.showBoard(); } }) : null;
      this.review?.mark(this.line ? this.line.from : this.ply);
      fillEnding(panel, model, {
        openStudy: (study) => this.openStudy(study),
        send: (command) => this.send(command),
        line: (moves, color) => this.showLine(moves, color),
        studies: () => this.studies,
        shown: () => this.shown(),
        review: this.review?.node,
      });
    } else {
      show(panel, false);
      panel.dataset.shown = '';
    }
  }

  /** On a phone the board may have been scrolled away. */
  showBoard() { $('board').scrollIntoView({ block: 'nearest', behavior: prefersReducedMotion() ? 'auto' : 'smooth' }); }

  /** What the board shows, for pictures and copies. */
  shown() {
    const { model } = this;
    const ply = Math.min(this.ply, model.history.length);
    return { fen: model.fenAfter(ply), side: this.orientation, last: model.history[ply - 1]?.move };
  }

  // What the buttons do.

  async send(command) {
    const answer = await this.live.send(command);
    if (!answer.accepted) this.refuse(answer, '', '');
    return answer;
  }

  claim() {
    const typed = $('move').value.trim();
    this.send(typed ? { command: 'claim', move: typed } : { command: 'claim' });
  }

  resign() {
    const yes = el('button', { type: 'button', class: 'danger', onclick: () => { this.voice.hush(); this.send({ command: 'resign' }); } }, t('yesResign'));
    this.voice.news(t('reallyResign'), [yes, el('button', { type: 'button', onclick: () => { this.greet([]); $('move').focus(); } }, t('no'))]);
    yes.focus();
  }

  cancelAll() {
    this.hand.release();
    if (this.premoves.clear()) this.voice.news(t('premovesCancelled'));
    else if (this.voice.kind === 'refusal') this.greet([]);
    this.hand.setShapes([]);
    this.render();
  }

  listen() {
    const { model } = this;
    $('steps').append(...stepButtons({
      first: () => this.step(-10_000), previous: () => this.step(-1), next: () => this.step(1), last: () => this.step(10_000),
    }));
    this.autoButton = el('button', { type: 'button', 'aria-label': t('autoplay'), title: t('autoplay'), class: 'auto', onclick: () => this.play() }, sign('autoplay'));
    this.keepButton = el('button', { type: 'button', 'aria-label': t('keepTitle'), title: t('keepTitle'), class: 'keep', onclick: async () => {
      const { openKeepsakes } = await import('./game_over.js');
      openKeepsakes(model, this);
    } }, sign('keep'));
    $('steps').append(this.autoButton, this.keepButton);
    $('flip').addEventListener('click', () => { this.flipped = !this.flipped; this.render(); });
    const noise = $('sound');
    const showNoise = () => { noise.setAttribute('aria-pressed', String(soundIsOn())); noise.title = t(soundIsOn() ? 'soundOn' : 'soundOff'); };
    noise.addEventListener('click', () => { setSound(!soundIsOn()); showNoise(); sound('move'); });
    showNoise();
    $('settings').addEventListener('click', openSettings);
    $('typed').addEventListener('submit', async (event) => {
      event.preventDefault();
      const text = $('move').value.trim();
      if (!text) return;
      $('move').value = '';
      clearTimeout(this.typing);
      this.reading?.abort();
      this.aim = null;
      if (model.isOver) { this.tryStudy(text); return; }
      if (!this.isTip) this.look(model.history.length);
      if (!model.isYourTurn && /^[a-h][1-8][a-h][1-8][qrbn]?$/i.test(text)) {
        this.premoves.add(text.toLowerCase());
        this.voice.news(t('premoveSet', { move: text }));
        this.render();
        return;
      }
      const legal = model.moves.find((move) => move === text.toLowerCase());
      if (await this.playMove(legal ?? text) === false) {
        $('move').value = text;
        $('move').select();
      }
    });
    $('move').addEventListener('input', () => this.previewTyped());
    document.addEventListener('keydown', (event) => this.key(event));
    addEventListener('beforeunload', (event) => {
      if (model.you && !model.isOver && !model.isWaiting && model.state.clocks) event.preventDefault();
    });
    document.addEventListener('visibilitychange', () => this.wake());
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') { this.cancelAll(); return; }
    const isField = event.target.matches?.('input, textarea, select, summary');
    if (isField && !(event.target.id === 'move' && event.target.value === '')) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10_000, ArrowDown: 10_000 };
    if (event.key in steps) { event.preventDefault(); this.step(steps[event.key]); return; }
    // Who begins to type a move means the field for it.
    if (!isField && !$('typed').hidden && /^[a-hKQRBNOo0]$/.test(event.key)) $('move').focus();
  }

  /** Keeps the screen awake while a game is played. */
  async wake() {
    const { model } = this;
    const wanted = model.you && !model.isOver && !model.isWaiting && !document.hidden;
    if (!wanted) { this.lock?.release?.(); this.lock = null; return; }
    if (this.lock || !navigator.wakeLock) return;
    this.lock = {};
    try {
      this.lock = await navigator.wakeLock.request('screen');
      this.lock.addEventListener('release', () => { this.lock = null; });
    } catch { /* a browser that says no lets the screen sleep */ }
  }
}

translate();
document.documentElement.lang = language;
await firstPaint();
const first = JSON.parse($('state').textContent);
new Table(first);
document.documentElement.dataset.ready = 'yes';
