// The bars above and below the board: who plays, whether he is there, what he has captured, and his clock.

import { $, el } from './dom.js';
import { materialBalance, opposite } from './fen.js';
import { pieceElement } from './board.js';
import { Clocks } from './clock.js';
import { t } from './i18n.js';

/** Both bars of a table: `near` below the board, `far` above it. */
export class PlayerBars {
  constructor() {
    this.bars = {};
    for (const place of ['far', 'near']) {
      const bar = {
        node: $(place), dot: el('span', { class: 'color-dot', 'aria-hidden': 'true' }), name: el('span', { class: 'name' }),
        presence: el('span', { class: 'presence' }), captured: el('span', { class: 'captured', 'aria-hidden': 'true' }), clockSlot: el('div', { class: 'clock-slot' }),
      };
      bar.node.replaceChildren(bar.dot, bar.name, bar.presence, bar.captured, bar.clockSlot);
      this.bars[place] = bar;
    }
    const clockNode = (color) => el('div', { role: 'timer', class: 'clock', 'aria-label': t(`${color}Clock`), hidden: true });
    this.clockNodes = { white: clockNode('white'), black: clockNode('black') };
    this.clocks = new Clocks(this.clockNodes);
  }

  /** Shows the players, with `nearColor` below the board; `pieces` are those that the board shows. */
  render(model, pieces, nearColor) {
    const balance = materialBalance(pieces, model.piecesAfter(0));
    for (const [place, color] of [['near', nearColor], ['far', opposite(nearColor)]]) {
      const bar = this.bars[place];
      const isOpen = model.openSeats[color];
      const isAway = (model.presence?.[`${color}_away`] ?? null) !== null;
      const isPresent = !isOpen && !model.isOver && !isAway;
      bar.node.setAttribute('aria-label', t(`Colors.${color}`));
      bar.node.className = `player ${place} ${color}${isOpen ? ' open' : ''}${isPresent ? ' present' : ''}`;
      bar.name.textContent = model.playerName(color, t);
      bar.presence.textContent = isOpen || model.isOver ? '' : model.you === color ? t('you') : t(isAway ? 'gone' : 'here');
      const lead = color === 'white' ? balance.lead : -balance.lead;
      const captured = balance[opposite(color)].slice().reverse().map((piece) => pieceElement(piece, 'tiny'));
      bar.captured.replaceChildren(...captured, lead > 0 ? `+${lead}` : '');
      if (bar.clockSlot.firstChild !== this.clockNodes[color]) bar.clockSlot.replaceChildren(this.clockNodes[color]);
    }
  }

  /** Takes over the clocks of the latest message. */
  updateClocks(model) { this.clocks.update(model); }
}
