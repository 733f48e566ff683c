// The server's messages to a table: how they change the game, what is announced, and which sounds are played.

import { $, show } from './dom.js';
import { t } from './i18n.js';
import { applyMove, opposite } from './fen.js';
import { absenceClaim, serverNow } from './actions.js';
import { playSound } from './sound.js';

const DISCONNECTED_BANNER_DELAY_MS = 700;
const RECONNECTED_BANNER_MS = 1500;
/** The longest delay that `setTimeout` takes. */
const MAX_TIMER_DELAY_MS = 0x7fffffff;

/** Applies messages to the game. Calls `render()` after it. */
export class TableMessages {
  constructor({ model, shown, board, announcer, announcements, premoves, play, socket, render }) {
    this.model = model;
    this.shown = shown;
    this.board = board;
    this.announcer = announcer;
    this.announcements = announcements;
    this.premoves = premoves;
    this.play = play;
    this.socket = socket;
    this.render = render;
  }

  /** Shows a banner while the connection is broken for longer than a moment. */
  onConnectionChange(isConnected) {
    const banner = $('banner');
    clearTimeout(this.bannerTimer);
    if (!isConnected) {
      this.bannerTimer = setTimeout(() => { banner.textContent = t('reconnecting'); show(banner); }, DISCONNECTED_BANNER_DELAY_MS);
    } else if (!banner.hidden) {
      banner.textContent = t('reconnected');
      this.bannerTimer = setTimeout(() => show(banner, false), RECONNECTED_BANNER_MS);
    }
  }

  onMessage(message) {
    const { model, shown } = this;
    const pliesBefore = model.history.length;
    const wasAtEnd = shown.ply >= pliesBefore;
    const wasOver = model.state && model.isOver;
    if (!model.apply(message)) this.socket.sendWithoutAnswer({ command: 'state' });
    if (message.type === 'chat') { this.addChatLines([message]); return; }
    if (message.type === 'pong' || message.type === 'answer') return;
    if (message.type === 'rematch' && message.game && model.you) { location.href = `/${message.game}`; return; }
    if (message.type === 'state') {
      this.play.pendingMove = null;
      this.premoves.clear();
      if (shown.ply > model.history.length || wasAtEnd || !pliesBefore) shown.ply = model.history.length;
      if (message.chat) this.addChatLines(message.chat);
      if (!this.announcer.kind || message.events?.length !== 0) this.announcements.announceMissedEvents(message.events ?? []);
    }
    if (message.type === 'decided') this.onDecision(message, wasAtEnd, model.history.length !== pliesBefore);
    if (message.type === 'rematch') this.announcements.announceRematch();
    if (model.isOver && !wasOver && message.type === 'decided') playSound('end');
    if (message.type !== 'rematch') this.watchForClaim(message.type === 'presence');
    this.render();
    if (message.type === 'decided' || message.type === 'state') this.play.playFirstPremove();
  }

  /** Announces the events of a decision, and shows the position after it. */
  onDecision(message, wasAtEnd, hasNewMoves) {
    const { model, shown } = this;
    const sentences = [];
    let explosionSquare = -1;
    for (const event of message.events) {
      const text = this.announcements.eventText(event);
      if (text) sentences.push(text);
      if (event.event === 'moved') {
        const move = applyMove(model.piecesAfter(model.history.length - 1), event.move, model.variant);
        if (move.exploded.length) explosionSquare = move.to;
        playSound(move.exploded.length ? 'explosion' : event.san.endsWith('+') ? 'check' : move.captureSquare >= 0 ? 'capture' : 'move');
      }
      if (event.event === 'taken_back') this.premoves.clear();
    }
    if (hasNewMoves) {
      const wasShownBefore = this.play.pendingMove !== null;
      this.play.pendingMove = null;
      if (wasAtEnd || model.you) shown.setPly(model.history.length);
      if (explosionSquare >= 0 && !wasShownBefore) this.board.showExplosion(explosionSquare);
    }
    if (!message.events.length && model.state.proved === false) sentences.push(model.state.explanation);
    for (const claim of model.isYourTurn ? model.state.claims : []) sentences.push(t(`claimMay.${claim}`));
    if (sentences.length) this.announcements.announce(sentences.join(' '));
  }

  /** Announces when an opponent who is away, or has never come, can be claimed against, and again when the time has come. */
  watchForClaim(isAnnounced) {
    clearTimeout(this.claimTimer);
    const { model } = this;
    const claim = absenceClaim(model);
    if (!claim) return;
    const values = { name: model.playerName(opposite(model.you), t) };
    const left = claim.at - serverNow(model);
    if (left <= 0) {
      if (isAnnounced) this.announcer.showNews(t(claim.command === 'claim_absence' ? 'awayNow' : 'noShowNow', values));
      return;
    }
    if (isAnnounced && claim.isAway) this.announcer.showNews(t('awayClaim', { ...values, seconds: Math.ceil(left / 1000) }));
    this.claimTimer = setTimeout(() => { this.watchForClaim(true); this.render(); }, Math.min(left + 50, MAX_TIMER_DELAY_MS));
  }

  async addChatLines(lines) {
    if (!this.chat) {
      const { Chat } = await import('./chat.js');
      this.chat ??= new Chat($('chat'), async (text) => {
        const answer = await this.socket.send({ command: 'chat', text });
        if (!answer.accepted) this.chat.showRefusal(answer.text);
      });
    }
    this.chat.addLines(lines, this.model.you !== null);
  }
}
