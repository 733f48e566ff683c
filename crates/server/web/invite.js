// Before the game: the link to send, or the seat to take.

import { copy, doneButton, el } from './dom.js';
import { get, post } from './http.js';
import { storage } from './storage.js';
import { t } from './i18n.js';

/** The panel for whoever waits: link, copy, share, QR code; `withdraws()` when nobody shall come any more. */
export async function showInvite(node, url, withdraws) {
  if (node.dataset.shown === url) return;
  node.dataset.shown = url;
  const field = el('input', { type: 'text', readonly: true, value: url, 'aria-label': t('link'), class: 'field address', onfocus: (event) => event.target.select() });
  const share = navigator.share
    ? el('button', { type: 'button', onclick: () => navigator.share({ title: 'touchmove', url }).catch(() => {}) }, t('share')) : null;
  const picture = el('div', { class: 'qr' });
  node.replaceChildren(
    el('h2', {}, t('inviteTitle')),
    el('div', { class: 'row' }, field, doneButton(t('copy'), t('copied'), () => copy(url)), share),
    el('div', { class: 'row start' }, picture, el('div', { class: 'stack' }, el('p', { class: 'small' }, t('inviteText')),
      el('button', { type: 'button', class: 'quiet', onclick: withdraws }, t('withdrawInvite')))),
  );
  const { qrCode } = await import('./qr.js');
  picture.replaceChildren(qrCode(url, t('qrLabel')));
}

/** The choice of a seat where both are open. */
function sides(wanted) {
  const chip = (side) => el('label', { class: 'chip' }, el('input', { type: 'radio', name: 'side', value: side, checked: side === wanted }), el('span', {}, t(`home.sides.${side}`)));
  return el('fieldset', { class: 'choice', role: 'radiogroup', 'aria-labelledby': 'side-name' },
    el('legend', { id: 'side-name' }, t('home.side')), el('div', { class: 'chips' }, ['white', 'random', 'black'].map(chip)));
}

/** Whoever is signed in sits down under the name of the account. */
async function fixName(field) {
  const me = await get('/v1/me').catch(() => null);
  if (me?.kind !== 'human' && me?.kind !== 'bot') return;
  field.value = me.name;
  field.disabled = true;
}

/**
 * The panel for whoever comes by the link, who may want a side: `wants`. `taken()` when the seat is taken,
 * `watches()` when it is not wanted.
 */
export function showJoin(node, model, terms, { wants, taken, watches }) {
  const isFree = model.open.white && model.open.black;
  const seat = model.open.white ? 'white' : 'black';
  const key = `${model.game}${isFree ? 'both' : seat}`;
  if (node.dataset.shown === key) return;
  node.dataset.shown = key;
  const name = el('input', { type: 'text', class: 'field', id: 'name', maxlength: '40', autocomplete: 'nickname', value: storage.get('name', ''), placeholder: t('optional') });
  const trouble = el('p', { role: 'alert', class: 'trouble' });
  const take = el('button', { class: 'main' }, t('takeSeat'));
  const form = el('form', { class: 'stack' }, isFree ? sides(wants ?? 'random') : null,
    el('label', { for: 'name' }, t('yourName')), name,
    el('div', { class: 'row' }, take, el('button', { type: 'button', onclick: watches }, t('watch'))), trouble);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    take.disabled = true;
    const called = name.disabled ? '' : name.value.trim();
    const side = form.querySelector('input[name="side"]:checked')?.value;
    try {
      if (!name.disabled) storage.set('name', called);
      await post(`/v1/tables/${model.game}/seat`, { ...(called ? { name: called } : {}), ...(side ? { side } : {}) });
      taken();
    } catch (error) {
      trouble.textContent = error.status ? error.message : t('noServer');
      take.disabled = false;
    }
  });
  const host = model.state.players[seat === 'white' ? 'black' : 'white'] || t('friend');
  node.replaceChildren(el('h2', {}, isFree ? t('joinOpen') : t('joinTitle', { name: host })),
    el('p', { class: 'small' }, isFree ? terms : t('joinText', { terms, color: t(`Colors.${seat}`) })), form);
  fixName(name);
}
