// What a player may do apart from moving: the buttons under the board.

import { el } from './dom.js';
import { opposite } from './fen.js';
import { t } from './i18n.js';

const GIFT_SECONDS = 15;

/** A button; `icon` and `unit` are drawn before and after its text and are not read aloud. */
const button = (label, icon, text, action, className = '', unit = '') => el('button', { type: 'button', 'aria-label': label, title: label, class: className, onclick: action },
  icon ? el('span', { class: 'icon', 'data-icon': icon }) : null, text, unit ? el('span', { class: 'icon', 'data-icon': unit }) : null);

/**
 * When an opponent who is away, or has never come, can be claimed against, by the server's clock:
 * `{at, command, isAway}`, or null.
 */
export function absenceClaim(model) {
  const { you, terms, state, presence } = model;
  if (!you || model.isOver || model.hasOpenSeat) return null;
  const opponent = opposite(you);
  const awaySince = presence?.[`${opponent}_away`] ?? null;
  const isAway = awaySince !== null;
  if (state.no_show !== undefined && state.turn === opponent) return { at: state.no_show, command: 'claim_no_show', isAway };
  if (isAway && terms.absence !== null && terms.absence !== undefined && state.plies >= 2) {
    return { at: awaySince + terms.absence, command: 'claim_absence', isAway };
  }
  return null;
}

/** The server's time now. */
export const serverNow = (model) => model.state.at + (performance.now() - model.receivedAt);

/**
 * Fills the row of buttons. `handlers` has `send(command)`, `claimDraw()`, `confirmResign()` and `cancelAll()`;
 * `hasPremoves` says whether there is anything to cancel.
 */
export function fillActions(node, model, hasPremoves, handlers) {
  const { you, state, terms } = model;
  if (!you || model.isOver || model.hasOpenSeat) {
    node.hidden = true;
    return;
  }
  node.hidden = false;
  const opponent = opposite(you);
  const { offers } = state;
  const send = (command) => () => handlers.send(command);
  const buttons = [];
  const claim = absenceClaim(model);
  if (claim && serverNow(model) >= claim.at) {
    buttons.push(button(t('claimWin'), '', t('claimWin'), send({ command: claim.command }), 'main'));
    if (claim.command === 'claim_absence') buttons.push(button(t('claimAbsenceDraw'), '', t('claimDraw'), send({ command: 'claim_absence', draw: true })));
  }
  if (hasPremoves) buttons.push(button(t('cancelPremoves'), '✕', t('cancelPremoves'), () => handlers.cancelAll(), 'main'));
  if (offers.draw === opponent) {
    buttons.push(button(t('acceptDraw'), '', t('acceptDraw'), send({ command: 'accept', offer: 'draw' }), 'main'));
    buttons.push(button(t('declineDraw'), '', t('declineDraw'), send({ command: 'decline', offer: 'draw' })));
  }
  if (offers.takeback === opponent) {
    buttons.push(button(t('acceptTakeback'), '', t('acceptTakeback'), send({ command: 'accept', offer: 'takeback' }), 'main'));
    buttons.push(button(t('declineTakeback'), '', t('declineTakeback'), send({ command: 'decline', offer: 'takeback' })));
  }
  if (state.claims.length && state.turn === you) {
    buttons.push(button(t('claimDraw'), '½', t('claimDraw'), () => handlers.claimDraw(), 'main'));
  }
  if (offers.draw !== opponent) {
    const draw = button(t('offerDraw'), '½', t('draw'), send({ command: 'draw' }));
    draw.disabled = offers.draw === you;
    buttons.push(draw);
  }
  // A player who has not moved yet has nothing to take back, but may still abort.
  const hasMoved = state.plies >= 2 || (state.plies === 1 && state.turn !== you);
  if (hasMoved && terms.takebacks && offers.takeback !== opponent) {
    const takeback = button(t('askTakeback'), '↶', t('takeBack'), send({ command: 'takeback' }));
    takeback.disabled = offers.takeback === you;
    buttons.push(takeback);
  }
  if (terms.gifts && state.clocks) buttons.push(button(t('giveTime'), '+', String(GIFT_SECONDS), send({ command: 'give', seconds: GIFT_SECONDS }), 'narrow-gap', 's'));
  if (!hasMoved) buttons.push(button(t('abort'), '✕', t('abort'), send({ command: 'abort' })));
  buttons.push(button(t('resign'), '⚑', t('resign'), () => handlers.confirmResign()));
  const focused = [...node.children].findIndex((child) => child === document.activeElement);
  const label = node.children[focused]?.getAttribute('aria-label');
  node.replaceChildren(...buttons);
  // The button with the focus keeps it.
  if (label) buttons.find((one) => one.getAttribute('aria-label') === label)?.focus();
}
