// The page of a table: playing, watching, looking back. It shows what the server decided, and asks it for everything.

import { $, el, post, show } from './common.js';
import { language, t, translate } from './words.js';
import { SQUARES, at, balance, colorOf, explodes, numbering, other, play, read } from './fen.js';
import { Board, manElement } from './board.js';
import { Hand } from './hand.js';
import { Model } from './model.js';
import { Live } from './live.js';
import { Clocks } from './clock.js';
import { Voice } from './voice.js';
import { Moves, sign, stepButtons } from './moves.js';
import { Premoves } from './premoves.js';
import { claimable, fillActions, serverNow } from './actions.js';
import { blastOf } from './blast.js';
import { sayMove } from './speech.js';
import { openSettings } from './settings.js';
import { setSound, sound, soundIsOn } from './sound.js';

class Table {
  constructor(first) {
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

  // What is heard.

  connected(isConnected) {
    const banner = $('banner');
    clearTimeout(this.bannerTimer);
    if (!isConnected) {
      this.bannerTimer = setTimeout(() => { banner.textContent = t('reconnecting'); show(banner); }, 700);
    } else if (!banner.hidden) {
      banner.textContent = t('reconnected');
      this.bannerTimer = setTimeout(() => show(banner, false), 1500);
    }
  }

  message(message) {
    const { model } = this;
    const wasTip = this.ply >= model.history.length;
    const before = model.history.length;
    const wasOver = model.state && model.isOver;
    if (!model.hear(message)) this.live.tell({ command: 'state' });
    if (message.type === 'chat') { this.hearChat([message]); return; }
    if (message.type === 'pong' || message.type === 'answer') return;
    if (message.type === 'rematch' && message.game && model.you) { location.href = `/${message.game}`; return; }
    const isNew = model.history.length !== before;
    if (message.type === 'state') {
      this.pending = null;
      this.premoves.clear();
      if (this.ply > model.history.length || wasTip || !before) this.ply = model.history.length;
      if (message.chat) this.hearChat(message.chat);
      if (!this.voice.kind || message.events?.length !== 0) this.greet(message.events ?? []);
    }
    if (message.type === 'decided') this.decided(message, wasTip, isNew);
    if (message.type === 'presence') this.presenceChanged();
    if (message.type === 'rematch') this.rematchChanged();
    if (model.isOver && !wasOver && message.type === 'decided') sound('end');
    this.render();
    if (message.type === 'decided' || message.type === 'state') this.playPlanned();
  }

  decided(message, wasTip, isNew) {
    const { model } = this;
    const said = [];
    let blast = -1;
    for (const event of message.events) {
      const text = this.say(event);
      if (text) said.push(text);
      if (event.event === 'moved') {
        const done = play(model.menAfter(model.history.length - 1), event.move, model.variant);
        if (done.blast.length) blast = done.to;
        sound(done.blast.length ? 'blast' : event.san.endsWith('+') ? 'check' : done.captured >= 0 ? 'capture' : 'move');
      }
      if (event.event === 'taken_back') this.premoves.clear();
    }
    if (isNew) {
      const wasOptimistic = this.pending !== null;
      this.pending = null;
      if (wasTip || model.you) {
        this.ply = model.history.length;
        this.study = null;
        this.line = null;
      }
      if (blast >= 0 && !wasOptimistic) this.board.explode(blast);
    }
    for (const claim of model.isYourTurn ? model.state.claims : []) said.push(t(`claimMay.${claim}`));
    if (said.length) this.voice.news(said.join(' '));
  }

  /** What an event was, as a sentence. */
  say(event) {
    const { model } = this;
    const name = event.by && event.by !== 'arbiter' ? model.name(event.by, t) : '';
    const isYou = event.by === model.you;
    switch (event.event) {
      case 'moved': {
        const ply = model.history.findLastIndex(({ move }) => move === event.move);
        return ply < 0 ? '' : `${sayMove(model.fenAfter(ply), event.move, event.san, model.variant)}.`;
      }
      case 'seated': return t('satDown', { name: event.name || t(`Colors.${event.by}`) });
      case 'draw_offered': return isYou ? t('youOfferDraw') : t('offersDraw', { name });
      case 'draw_declined': return t('declinedDraw');
      case 'takeback_offered': return isYou ? t('youAskTakeback') : t('asksTakeback', { name });
      case 'takeback_declined': return t('declinedTakeback');
      case 'taken_back': return t('takenBack');
      case 'time_given': return t('gaveTime', { name: model.name(event.to, t), seconds: Math.round(event.time / 1000) });
      case 'clocks_held': return t('held', { reason: event.reason });
      case 'ended': return event.text;
      default: return '';
    }
  }

  greet(events) {
    const { model } = this;
    const said = events.map((event) => this.say(event)).filter(Boolean).slice(-2);
    if (said.length) this.voice.news(said.join(' '));
    else if (model.isOver) this.voice.news(model.state.explanation);
    else if (model.isWaiting) this.voice.news(model.you ? t('waitingFor') : '');
    else if (model.isYourTurn) this.voice.news(t('yourTurn'));
    else this.voice.news(t('theirTurn', { name: model.name(model.state.turn, t) }));
  }

  presenceChanged() {
    clearTimeout(this.claimTimer);
    const { model } = this;
    const waits = claimable(model);
    if (!waits) return;
    const name = model.name(other(model.you), t);
    const left = waits.at - serverNow(model);
    if (left <= 0) this.voice.news(t('awayNow', { name }));
    else {
      this.voice.news(t('awayClaim', { name, seconds: Math.ceil(left / 1000) }));
      this.claimTimer = setTimeout(() => { this.presenceChanged(); this.render(); }, left + 50);
    }
  }

  rematchChanged() {
    const { rematch, you } = this.model;
    if (!rematch) return;
    if (rematch.offer) this.voice.news(rematch.offer === you ? t('youWantRematch') : t('wantsRematch', { name: this.model.name(rematch.offer, t) }));
    else if (!rematch.game) this.voice.news(t('declinedRematch'));
  }

  async hearChat(lines) {
    if (!this.chat) {
      const { Chat } = await import('./chat.js');
      this.chat ??= new Chat($('chat'), async (text) => {
        const answer = await this.live.send({ command: 'chat', text });
        if (!answer.accepted) this.chat.refuse(answer.text);
      });
    }
    this.chat.hear(lines, this.model.you !== null);
  }

  // What is shown.

  get orientation() {
    const { you, open } = this.model;
    // Who comes by the link sees the board from the seat that waits for him.
    const own = you ?? (open.black && !open.white && !this.isWatching ? 'black' : 'white');
    return this.flipped ? other(own) : own;
  }

  get isTip() { return this.ply >= this.model.history.length && !this.study && !this.line; }

  /** The men that the board shows now. */
  get men() {
    const { model } = this;
    if (this.line) return this.line.positions[this.line.at];
    if (this.study) return this.study.men();
    if (!this.isTip) return model.menAfter(this.ply);
    const men = model.menAfter(model.history.length);
    if (this.pending) return play(men, this.pending, model.variant).men;
    return this.premoves.isEmpty ? men : this.premoves.men(model.state.fen, model.variant);
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
    this.moves.set(model, this.study ? this.study.ply : this.line ? model.history.length : this.ply);
    this.clocks.set(model);
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
    const lost = balance(this.men);
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
      if (model.isWaiting) showInvite(panel, location.origin + location.pathname);
    } else if (joins) {
      show(panel);
      const { showJoin } = await import('./invite.js');
      showJoin(panel, model, this.terms, {
        taken: () => { panel.replaceChildren(); this.live.again(); },
        watches: () => { this.isWatching = true; this.render(); },
      });
    } else if (model.isOver) {
      show(panel);
      const { fillEnding } = await import('./ending.js');
      fillEnding(panel, model, {
        send: (command) => this.send(command),
        line: (moves, color) => this.showLine(moves, color),
        studies: () => this.studies,
        shown: () => this.shown(),
      });
    } else {
      show(panel, false);
      panel.dataset.shown = '';
    }
  }

  /** What the board shows, for pictures and copies. */
  shown() {
    const { model } = this;
    const ply = Math.min(this.ply, model.history.length);
    return { fen: model.fenAfter(ply), side: this.orientation, last: model.history[ply - 1]?.move };
  }

  // Looking back.

  look(ply) {
    const { model } = this;
    this.stop();
    this.line = null;
    this.study = null;
    this.ply = Math.max(0, Math.min(model.history.length, ply));
    this.from = -1;
    this.hand.from = -1;
    if (this.isTip) this.greet(model.history.length ? [{ event: 'moved', by: 'arbiter', ...model.history.at(-1) }].filter(() => !model.isOver) : []);
    else if (this.ply === 0) this.voice.news(t('atStart'));
    else {
      const { move, san } = model.history[this.ply - 1];
      this.voice.news(`${sayMove(model.fenAfter(this.ply - 1), move, san, model.variant)}.`);
    }
    this.render();
  }

  step(by) {
    if (this.line) this.stepLine(this.line.at + by);
    else if (this.study) {
      const to = this.study.at + by;
      if (to <= 0) this.look(to < -1 ? 0 : this.study.ply);
      else {
        this.study.at = Math.min(to, this.study.moves.length);
        this.render();
      }
    } else this.look(Math.min(this.ply, this.model.history.length) + by);
  }

  play() {
    if (this.player) { this.stop(); return; }
    if (this.isTip && !this.line) this.look(0);
    this.autoButton.replaceChildren(sign('pause'));
    this.autoButton.setAttribute('aria-label', t('pause'));
    this.player = setInterval(() => {
      const [here, end] = this.line ? [this.line.at, this.line.moves.length] : [this.ply, this.model.history.length];
      const timer = this.player;
      if (here >= end) { this.stop(); return; }
      this.player = null;
      this.step(1);
      this.player = timer;
    }, 900);
  }

  stop() {
    if (!this.player) return;
    clearInterval(this.player);
    this.player = null;
    this.autoButton.replaceChildren(sign('autoplay'));
    this.autoButton.setAttribute('aria-label', t('autoplay'));
  }

  /** Shows the line that an ending rests on. */
  showLine(moves, color) {
    const { model } = this;
    const positions = [model.menAfter(model.history.length)];
    for (const move of moves) positions.push(play(positions.at(-1), move, model.variant).men);
    this.study = null;
    this.line = { moves, color, positions, at: 0 };
    this.stepLine(1);
  }

  stepLine(at_) {
    const { line } = this;
    line.at = Math.max(0, Math.min(line.moves.length, at_));
    const move = line.at ? line.moves[line.at - 1] : '…';
    this.voice.news(t('lineStep', { color: t(`Colors.${line.color}`), move, n: line.at, all: line.moves.length }),
      [el('button', { type: 'button', class: 'link', onclick: () => this.look(this.model.history.length) }, t('back'))]);
    this.render();
  }

  // What the hand does.

  /** The castling that a king's move to this square means, if it means nothing else. */
  castling(from, to) {
    const { model } = this;
    return model.moves.filter((move) => move.startsWith(SQUARES[from])).find((move) => {
      const done = play(this.men, move, model.variant);
      return done.castles && (done.to === to || done.steps[1][0] === to);
    });
  }

  targetsOf(from) {
    const { model } = this;
    if (model.isYourTurn && !this.pending) {
      const targets = model.targets(SQUARES[from]).map(at);
      if (model.variant !== 'chess960' || this.men[from].toLowerCase() !== 'k') return targets;
      // In Chess960 castling is written as a move onto the rook, but people also go where the king ends up.
      return [...targets, ...targets.map((to) => play(this.men, SQUARES[from] + SQUARES[to], model.variant)).filter((done) => done.castles).map((done) => done.to)];
    }
    if (model.you && !model.isOver) return this.premoves.targets(model.state.fen, model.variant, from, model.you);
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
      if (!this.premoves.targets(model.state.fen, model.variant, from, model.you).includes(to)) return;
      const letter = isLastRank ? await this.choose(to, colorOf(man)) : '';
      if (letter === null) return;
      if (model.isYourTurn && !this.pending) { this.send_(uci + letter); return; }
      this.premoves.add(uci + letter);
      this.voice.news(t('premoveSet', { move: uci + letter }));
      this.render();
      return;
    }
    const fits = model.moves.filter((move) => move.startsWith(uci));
    if (fits.length > 1) {
      const letter = await this.choose(to, model.you);
      const chosen = fits.find((move) => move[4] === letter);
      if (chosen && this.model.moves.includes(chosen)) this.send_(chosen, isDragged);
      else this.render();
      return;
    }
    // What is not in the list is asked for all the same: the server says why not.
    const legal = fits[0] ?? this.castling(from, to);
    this.send_(legal ?? uci + (isLastRank ? 'q' : ''), isDragged, legal !== undefined);
  }

  /** Asks what a pawn becomes; the letter, or nothing if it stays where it was. */
  choose(to, color) {
    const [column, row] = this.board.place(to);
    return new Promise((done) => {
      let letter = null;
      const button = (role) => el('button', { type: 'button', 'aria-label': t(`Pieces.${role}`), onclick: () => { letter = role; dialog.close(); } },
        manElement(color === 'white' ? role.toUpperCase() : role));
      const dialog = el('dialog', { class: 'promotion', 'aria-label': t('promote') }, ['q', 'r', 'b', 'n'].map(button));
      dialog.addEventListener('close', () => { dialog.remove(); done(letter); });
      dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
      document.body.append(dialog);
      const box = this.board.grid.getBoundingClientRect();
      const side = box.width / 8;
      dialog.style.setProperty('--side', `${Math.max(side, 48)}px`);
      const width = Math.max(side, 48);
      dialog.style.left = `${Math.max(0, Math.min(box.left + column * side, innerWidth - width - 4))}px`;
      dialog.style.top = `${Math.max(4, row === 0 ? box.top : box.bottom - 4 * width)}px`;
      dialog.showModal();
    });
  }

  /** Plays a move: shown at once if it is legal, and put back if it is refused after all. */
  async send_(move, isDragged = false, isLegal = true) {
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
      plays: (move) => this.send_(move),
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
      this.send_(next);
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

  async tryStudy(text) {
    const { Study } = await import('./study.js');
    if (!this.study) {
      const known = this.studies.find((one) => one.ply === this.ply);
      this.study = new Study(this.model, this.ply);
      if (!known || known.moves.length) this.studies.push(this.study);
      this.line = null;
    }
    const { place } = this.study;
    try {
      const report = await this.study.tries(text);
      if (report.legal) this.voice.news(t('study', { moves: this.study.text() }),
        [el('button', { type: 'button', class: 'link', onclick: () => this.look(this.study.ply) }, t('back'))]);
      else this.voice.refuse({ text: report.text, squares: report.evidence, didYouMean: report.suggestions, typed: text, place, plays: (move) => this.tryStudy(move) });
    } catch (error) {
      this.voice.refuse({ text: error.status === 404 ? t('notHere') : error.message });
    }
    if (!this.study.moves.length) {
      this.studies = this.studies.filter((one) => one !== this.study);
      this.study = null;
    }
    this.render();
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
    $('steps').append(this.autoButton);
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
      if (await this.send_(legal ?? text) === false) {
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
const first = JSON.parse($('state').textContent);
new Table(first);
document.documentElement.dataset.ready = 'yes';
