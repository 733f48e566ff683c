// Before the game: the link to send, or the seat to take.

import { $, copy, doneButton, el, memory, post } from './common.js';
import { t } from './words.js';

/** The panel for whoever waits: link, copy, share, QR code. */
export async function showInvite(node, url) {
  if (node.dataset.shown === url) return;
  node.dataset.shown = url;
  const field = el('input', { type: 'text', readonly: true, value: url, 'aria-label': t('link'), class: 'field', onfocus: (event) => event.target.select() });
  const share = navigator.share
    ? el('button', { type: 'button', onclick: () => navigator.share({ title: 'touchmove', url }).catch(() => {}) }, t('share')) : null;
  const picture = el('div', { class: 'qr' });
  node.replaceChildren(
    el('h2', {}, t('inviteTitle')),
    el('div', { class: 'row' }, field, doneButton(t('copy'), t('copied'), () => copy(url)), share),
    el('div', { class: 'row start' }, picture, el('p', { class: 'small' }, t('inviteText'))),
  );
  const { qrCode } = await import('./qr.js');
  picture.replaceChildren(qrCode(url, t('qrLabel')));
}

/** The panel for whoever comes by the link. `taken()` when the seat is taken, `watches()` when not wanted. */
export function showJoin(node, model, terms, { taken, watches }) {
  const seat = model.open.white ? 'white' : 'black';
  const host = model.state.players[seat === 'white' ? 'black' : 'white'] || t('friend');
  const key = `${model.game}${seat}`;
  if (node.dataset.shown === key) return;
  node.dataset.shown = key;
  const name = el('input', { type: 'text', class: 'field', id: 'name', maxlength: '40', autocomplete: 'nickname', value: memory.get('name', ''), placeholder: t('optional') });
  const trouble = el('p', { role: 'alert', class: 'trouble' });
  const take = el('button', { class: 'main' }, t('takeSeat'));
  const form = el('form', { class: 'stack' },
    el('label', { for: 'name' }, t('yourName')), name,
    el('div', { class: 'row' }, take, el('button', { type: 'button', onclick: watches }, t('watch'))), trouble);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    take.disabled = true;
    try {
      memory.set('name', name.value.trim());
      await post(`/v1/tables/${model.game}/seat`, name.value.trim() ? { name: name.value.trim() } : {});
      taken();
    } catch (error) {
      trouble.textContent = error.message;
      take.disabled = false;
    }
  });
  node.replaceChildren(el('h2', {}, t('joinTitle', { name: host })), el('p', { class: 'small' }, t('joinText', { terms, color: t(`Colors.${seat}`) })), form);
  $('name')?.blur();
}
