// What a player may do beside moving: the buttons under the board, as the game stands.

import { el } from './dom.js';
import { other } from './fen.js';
import { t } from './i18n.js';

const button = (label, icon, text, action, extra = '', unit = '') => el('button', { type: 'button', 'aria-label': label, title: label, class: extra, onclick: action },
  icon ? el('span', { class: 'icon', 'data-icon': icon }) : null, text, unit ? el('span', { class: 'icon', 'data-icon': unit }) : null);

/** When the opponent's absence, or that he never came, can be claimed by the server's clock: `{at, kind, isAway}` or nothing. */
export function claimable(model) {
  const { you, terms, state, presence } = model;
  if (!you || model.isOver || model.isWaiting) return null;
  const they = other(you);
  const since = presence?.[`${they}_away`] ?? null;
  const isAway = since !== null;
  if (state.no_show !== undefined && state.turn === they) return { at: state.no_show, kind: 'claim_no_show', isAway };
  if (isAway && terms.absence !== null && terms.absence !== undefined && state.plies >= 2) {
    return { at: since + terms.absence, kind: 'claim_absence', isAway };
  }
  return null;
}

/** The server's time now. */
export const serverNow = (model) => model.state.at + (performance.now() - model.heardAt);

/** Fills the row of actions. `acts` has a function for each of them. */
export function fillActions(node, model, acts) {
  const { you, state, terms } = model;
  if (!you || model.isOver || model.isWaiting) {
    node.hidden = true;
    return;
  }
  node.hidden = false;
  const they = other(you);
  const { offers } = state;
  const made = [];
  const waits = claimable(model);
  if (waits && serverNow(model) >= waits.at) {
    made.push(button(t('claimWin'), '', t('claimWin'), () => acts.send({ command: waits.kind }), 'main'));
    if (waits.kind === 'claim_absence') made.push(button(t('claimAbsenceDraw'), '', t('claimDraw'), () => acts.send({ command: 'claim_absence', draw: true })));
  }
  if (!acts.premoves.isEmpty) made.push(button(t('cancelPlans'), '✕', t('cancelPlans'), () => acts.cancelAll(), 'main'));
  if (offers.draw === they) {
    made.push(button(t('acceptDraw'), '', t('acceptDraw'), () => acts.send({ command: 'accept', offer: 'draw' }), 'main'));
    made.push(button(t('declineDraw'), '', t('declineDraw'), () => acts.send({ command: 'decline', offer: 'draw' })));
  }
  if (offers.takeback === they) {
    made.push(button(t('acceptTakeback'), '', t('acceptTakeback'), () => acts.send({ command: 'accept', offer: 'takeback' }), 'main'));
    made.push(button(t('declineTakeback'), '', t('declineTakeback'), () => acts.send({ command: 'decline', offer: 'takeback' })));
  }
  if (state.claims.length && state.turn === you) {
    made.push(button(t('claimDraw'), '½', t('claimDraw'), () => acts.claim(), 'main'));
  }
  if (offers.draw !== they) {
    const draw = button(t('offerDraw'), '½', t('draw'), () => acts.send({ command: 'draw' }));
    draw.disabled = offers.draw === you;
    made.push(draw);
  }
  // Who has not moved yet has nothing to take back, but may still break off.
  const hasMoved = state.plies >= 2 || (state.plies === 1 && state.turn !== you);
  if (hasMoved && terms.takebacks && offers.takeback !== they) {
    const takeback = button(t('askTakeback'), '↶', t('takeBack'), () => acts.send({ command: 'takeback' }));
    takeback.disabled = offers.takeback === you;
    made.push(takeback);
  }
  if (terms.gifts && state.clocks) made.push(button(t('giveTime'), '+', '15', () => acts.send({ command: 'give', seconds: 15 }), 'tight', 's'));
  if (!hasMoved) made.push(button(t('abort'), '✕', t('abort'), () => acts.send({ command: 'abort' })));
  made.push(button(t('resign'), '⚑', t('resign'), () => acts.resign()));
  const focused = [...node.children].findIndex((child) => child === document.activeElement);
  const label = node.children[focused]?.getAttribute('aria-label');
  node.replaceChildren(...made);
  // Who had a button under the finger keeps it.
  if (label) made.find((one) => one.getAttribute('aria-label') === label)?.focus();
}
