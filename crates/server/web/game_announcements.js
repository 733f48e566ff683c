// What the announcer says about a game: its events as sentences, and how it stands.

import { t } from './i18n.js';
import { moveText } from './move_text.js';

/** The most sentences about events that were missed. */
const MAX_MISSED_EVENTS = 2;

/** Puts what happens in a game into words, and announces it. */
export class GameAnnouncements {
  constructor(model, shown, announcer) {
    this.model = model;
    this.shown = shown;
    this.announcer = announcer;
  }

  /** Announces a text, with the kings in danger if the board shows the current position. */
  announce(text) {
    const { model } = this;
    this.announcer.showNews(text);
    if (this.shown.isLatest && !model.hasOpenSeat) this.announcer.showDangers(model.state.danger);
  }

  /** An event as a sentence, '' if there is nothing to say about it. */
  eventText(event) {
    const { model } = this;
    const name = event.by && event.by !== 'arbiter' ? model.playerName(event.by, t) : '';
    const isYou = event.by === model.you;
    switch (event.event) {
      case 'moved': {
        const ply = model.history.findLastIndex(({ move }) => move === event.move);
        return ply < 0 ? '' : `${moveText(model.fenAfter(ply), event.move, event.san, model.variant)}.`;
      }
      case 'seated': return t('satDown', { name: event.name || t(`Colors.${event.by}`) });
      case 'draw_offered': return isYou ? t('youOfferDraw') : t('offersDraw', { name });
      case 'draw_declined': return t('declinedDraw');
      case 'takeback_offered': return isYou ? t('youAskTakeback') : t('asksTakeback', { name });
      case 'takeback_declined': return t('declinedTakeback');
      case 'taken_back': return t('takenBack');
      case 'time_given': return t('gaveTime', { name: model.playerName(event.to, t), seconds: Math.round(event.time / 1000) });
      case 'clocks_held': return t('held', { reason: event.reason });
      case 'ended': return event.text;
      default: return '';
    }
  }

  /** Announces the last of the events that were missed; without any, how the game stands. */
  announceMissedEvents(events) {
    const { model } = this;
    const sentences = events.map((event) => this.eventText(event)).filter(Boolean).slice(-MAX_MISSED_EVENTS);
    if (sentences.length) this.announce(sentences.join(' '));
    else if (model.isOver || model.state.proved === false) this.announcer.showNews(model.state.explanation);
    else if (model.hasOpenSeat) this.announcer.showNews(model.you ? t('waitingFor') : '');
    else if (model.isYourTurn) this.announce(t('yourTurn'));
    else this.announce(t('theirTurn', { name: model.playerName(model.state.turn, t) }));
  }

  /** Announces how the game stands. */
  announceStatus() { this.announceMissedEvents([]); }

  /** Announces the offer of a rematch, or that it was declined. */
  announceRematch() {
    const { rematch, you } = this.model;
    if (!rematch) return;
    if (rematch.offer) this.announcer.showNews(rematch.offer === you ? t('youWantRematch') : t('wantsRematch', { name: this.model.playerName(rematch.offer, t) }));
    else if (!rematch.game) this.announcer.showNews(t('declinedRematch'));
  }
}
