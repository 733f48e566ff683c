// Before the game: the link to send, and the panel where a seat is taken.

import { copy, doneButton, el } from './dom.js';
import { get, post } from './http.js';
import { storage } from './storage.js';
import { opposite } from './fen.js';
import { errorText, t } from './i18n.js';

/** The panel for a player who waits: link, copy, share, QR code. `onWithdraw()` when the invitation is withdrawn. */
export async function showInvite(node, url, onWithdraw) {
  if (node.dataset.key === url) return;
  node.dataset.key = url;
  const field = el('input', { type: 'text', readonly: true, value: url, 'aria-label': t('link'), class: 'field address', onfocus: (event) => event.target.select() });
  const share = navigator.share
    ? el('button', { type: 'button', onclick: () => navigator.share({ title: 'touchmove', url }).catch(() => {}) }, t('share')) : null;
  const qrHolder = el('div', { class: 'qr' });
  node.replaceChildren(
    el('h2', {}, t('inviteTitle')),
    el('div', { class: 'row' }, field, doneButton(t('copy'), t('copied'), () => copy(url)), share),
    el('div', { class: 'row start' }, qrHolder, el('div', { class: 'stack' }, el('p', { class: 'small' }, t('inviteText')),
      el('button', { type: 'button', class: 'quiet', onclick: onWithdraw }, t('withdrawInvite')))),
  );
  const { qrCode } = await import('./qr.js');
  qrHolder.replaceChildren(qrCode(url, t('qrLabel')));
}

/** The choice of a seat where both are open. */
function sideChoice(checkedSide) {
  const chip = (side) => el('label', { class: 'chip' }, el('input', { type: 'radio', name: 'side', value: side, checked: side === checkedSide }), el('span', {}, t(`home.sides.${side}`)));
  return el('fieldset', { class: 'choice', role: 'radiogroup', 'aria-labelledby': 'side-name' },
    el('legend', { id: 'side-name' }, t('home.side')), el('div', { class: 'chips' }, ['white', 'random', 'black'].map(chip)));
}

/** Fills in the name of the account if somebody is signed in. */
async function fillAccountName(field) {
  const me = await get('/v1/me').catch(() => null);
  if (me?.kind !== 'human' && me?.kind !== 'bot') return;
  field.value = me.name;
  field.disabled = true;
}

/**
 * The panel for a visitor who may take a seat. `preferredSide` is the side that the link names, or null.
 * `onSeatTaken()` when he has taken it, `onWatch()` when he only watches.
 */
export function showJoin(node, model, terms, { preferredSide, onSeatTaken, onWatch }) {
  const areBothOpen = model.openSeats.white && model.openSeats.black;
  const seat = model.openSeats.white ? 'white' : 'black';
  const key = `${model.game}${areBothOpen ? 'both' : seat}`;
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  const name = el('input', { type: 'text', class: 'field', id: 'name', maxlength: '40', autocomplete: 'nickname', value: storage.get('name', ''), placeholder: t('optional') });
  const errorNode = el('p', { role: 'alert', class: 'error' });
  const takeButton = el('button', { class: 'main' }, t('takeSeat'));
  const form = el('form', { class: 'stack' }, areBothOpen ? sideChoice(preferredSide ?? 'random') : null,
    el('label', { for: 'name' }, t('yourName')), name,
    el('div', { class: 'row' }, takeButton, el('button', { type: 'button', onclick: onWatch }, t('watch'))), errorNode);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    takeButton.disabled = true;
    const playerName = name.disabled ? '' : name.value.trim();
    const side = form.querySelector('input[name="side"]:checked')?.value;
    try {
      if (!name.disabled) storage.set('name', playerName);
      await post(`/v1/tables/${model.game}/seat`, { ...(playerName ? { name: playerName } : {}), ...(side ? { side } : {}) });
      onSeatTaken();
    } catch (error) {
      errorNode.textContent = errorText(error);
      takeButton.disabled = false;
    }
  });
  const host = model.state.players[opposite(seat)] || t('friend');
  node.replaceChildren(el('h2', {}, areBothOpen ? t('joinOpen') : t('joinTitle', { name: host })),
    el('p', { class: 'small' }, areBothOpen ? terms : t('joinText', { terms, color: t(`Colors.${seat}`) })), form);
  fillAccountName(name);
}
