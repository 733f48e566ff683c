// What a table hears: the server's messages, and how they are said.

import { $, show } from './dom.js';
import { t } from './i18n.js';
import { other, play } from './fen.js';
import { claimable, serverNow } from './actions.js';
import { sayMove } from './move_text.js';
import { sound } from './sound.js';

/** A table that listens. */
export class Hearing {
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
    if (message.type === 'rematch') this.rematchChanged();
    if (model.isOver && !wasOver && message.type === 'decided') sound('end');
    if (message.type !== 'rematch') this.watchClaim(message.type === 'presence');
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
    if (!message.events.length && model.state.proved === false) said.push(model.state.explanation);
    for (const claim of model.isYourTurn ? model.state.claims : []) said.push(t(`claimMay.${claim}`));
    if (said.length) this.tell(said.join(' '));
  }

  /** Says something, and what a king is in danger of. */
  tell(text) {
    const { model } = this;
    this.voice.news(text);
    if (this.isTip && !model.isWaiting) this.voice.warn(model.state.danger);
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
    if (said.length) this.tell(said.join(' '));
    else if (model.isOver || model.state.proved === false) this.voice.news(model.state.explanation);
    else if (model.isWaiting) this.voice.news(model.you ? t('waitingFor') : '');
    else if (model.isYourTurn) this.tell(t('yourTurn'));
    else this.tell(t('theirTurn', { name: model.name(model.state.turn, t) }));
  }

  /** Tells when an opponent who is away, or has never come, can be claimed against. */
  watchClaim(isNews) {
    clearTimeout(this.claimTimer);
    const { model } = this;
    const waits = claimable(model);
    if (!waits) return;
    const values = { name: model.name(other(model.you), t) };
    const left = waits.at - serverNow(model);
    if (left <= 0) {
      if (isNews) this.voice.news(t(waits.kind === 'claim_absence' ? 'awayNow' : 'noShowNow', values));
      return;
    }
    if (isNews && waits.isAway) this.voice.news(t('awayClaim', { ...values, seconds: Math.ceil(left / 1000) }));
    this.claimTimer = setTimeout(() => { this.watchClaim(true); this.render(); }, Math.min(left + 50, 0x7fffffff));
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
}
