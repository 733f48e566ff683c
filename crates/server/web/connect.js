// Connecting programs: signing in, tokens, and what to write into the settings of clients of Lichess.

import { $, copy, doneButton, el, show } from './dom.js';
import { del, get, post } from './http.js';
import { errorText, language, t, translate } from './i18n.js';
import { openSettings } from './settings.js';

translate();
$('settings').addEventListener('click', openSettings);

const SCOPES = ['board:play', 'bot:play', 'challenge:read', 'challenge:write', 'account:read', 'host'];
/** The scopes that are ticked at first. */
const DEFAULT_SCOPES = new Set(['board:play', 'bot:play', 'challenge:read', 'challenge:write', 'account:read']);
/** Stands in the settings for the token until one is made. */
const TOKEN_PLACEHOLDER = 'tm_…';

/** The settings of each client: its name, and a function that writes them with the server's address and a token. */
const CLIENT_SETUPS = [
  ['berserk', (url, token) => `import berserk

session = berserk.TokenSession("${token}")
client = berserk.Client(session, base_url="${url}")
print(client.account.get()["username"])
`],
  ['lichess-bot', (url, token) => `# config.yml
token: "${token}"
url: "${url}/"
challenge:
  variants: [standard, fromPosition, chess960, atomic]
  modes: [casual]
`],
  ['cli-chess', (url, token) => `cli-chess --base-url ${url} --token ${token}
`],
];

function showClientSetups(token = TOKEN_PLACEHOLDER) {
  $('client-setups').replaceChildren(...CLIENT_SETUPS.map(([name, write]) => {
    const text = write(location.origin, token);
    return el('section', { 'aria-label': name }, el('h3', {}, name), el('p', { class: 'small' }, t(`connect.about.${name}`)),
      el('pre', { tabindex: '0', 'aria-label': t('connect.settingsOf', { name }) }, text),
      doneButton(t('connect.copyFor', { name }), t('copied'), () => copy(text)));
  }), el('p', { class: 'small' }, t('connect.others')));
}

/** A labelled field of a form. */
function field(id, label, props) {
  const input = el('input', { class: 'field', id, ...props });
  return [el('label', { for: id }, label), input];
}

/** A form: `action(button value)` sends the request, `onDone(answer)` follows; a failure is shown below the rows. */
function form(rows, action, onDone) {
  const errorNode = el('p', { role: 'alert', class: 'error' });
  const node = el('form', { class: 'stack' }, rows, errorNode);
  node.addEventListener('submit', async (event) => {
    event.preventDefault();
    const buttons = [...node.querySelectorAll('button')];
    errorNode.textContent = '';
    for (const button of buttons) button.disabled = true;
    try {
      onDone(await action(event.submitter?.value ?? ''));
    } catch (error) {
      errorNode.textContent = errorText(error);
    }
    for (const button of buttons) button.disabled = false;
  });
  return node;
}

function signInForm(me) {
  const rows = [
    ...field('name', t('connect.name'), { autocomplete: 'username', autocapitalize: 'off', spellcheck: 'false', required: true, maxlength: '40' }),
    ...field('password', t('connect.password'), { type: 'password', autocomplete: 'current-password', required: true }),
    el('div', { class: 'row' }, el('button', { class: 'main', value: 'in' }, t('connect.signIn')),
      me.registration ? el('button', { value: 'up' }, t('connect.signUp')) : null),
    el('p', { class: 'small' }, t(me.registration ? 'connect.open' : 'connect.closed')),
  ];
  return form(rows, (choice) => {
    const body = { name: $('name').value.trim(), password: $('password').value };
    return post(choice === 'up' ? '/v1/account' : '/v1/session', body);
  }, (account) => {
    // A program that wants a token has sent the visitor here to sign in: back to its consent page.
    const next = new URLSearchParams(location.search).get('next') ?? '';
    if (next.startsWith('/oauth?')) location.href = next;
    else showAccount(account);
  });
}

function accountDetails(me) {
  const signOut = el('button', { type: 'button', onclick: async () => { await del('/v1/session'); await loadAccount(); } }, t('connect.signOut'));
  const passwordForm = form([
    el('input', { type: 'text', class: 'visually-hidden', autocomplete: 'username', value: me.name, tabindex: '-1', 'aria-hidden': 'true', readonly: true }),
    ...field('old', t('connect.old'), { type: 'password', autocomplete: 'current-password', required: true }),
    ...field('new', t('connect.new'), { type: 'password', autocomplete: 'new-password', required: true }),
    el('label', { class: 'checkbox' }, el('input', { type: 'checkbox', id: 'keep-tokens' }), el('span', {}, t('connect.keepTokens'))),
    el('div', {}, el('button', {}, t('connect.change'))),
  ], () => post('/v1/account/password', { old: $('old').value, new: $('new').value, keep_tokens: $('keep-tokens').checked }), (account) => {
    showAccount(account);
    $('account-content').prepend(el('p', { role: 'status' }, t('connect.changed')));
  });
  return [
    el('p', {}, t(me.kind === 'bot' ? 'connect.youAreBot' : 'connect.youAre'), ' ', el('b', {}, me.name)),
    el('div', { class: 'row' }, signOut),
    el('details', { class: 'collapsible' }, el('summary', {}, t('connect.changePassword')), passwordForm),
  ];
}

function newTokenForm() {
  const boxes = SCOPES.map((scope) => el('label', { class: 'checkbox' }, el('input', { type: 'checkbox', name: 'scope', value: scope, checked: DEFAULT_SCOPES.has(scope) }),
    el('span', {}, t(`connect.scopes.${scope}`), ' ', el('code', {}, scope))));
  const days = el('select', { id: 'days' }, ['365', '90', '30', '0'].map((value) => el('option', { value }, t(`connect.days.${value === '0' ? 'ever' : value}`))));
  const rows = [
    ...field('label', t('connect.label'), { maxlength: '80', placeholder: t('connect.labelHint'), autocomplete: 'off' }),
    el('fieldset', { class: 'choice' }, el('legend', {}, t('connect.may')), boxes),
    el('label', { for: 'days' }, t('connect.lasts')), days,
    ...field('password-again', t('connect.again'), { type: 'password', autocomplete: 'current-password' }),
    el('div', {}, el('button', { class: 'main' }, t('connect.makeIt'))),
  ];
  return form(rows, () => {
    const scopes = [...document.querySelectorAll('input[name="scope"]:checked')].map((box) => box.value).join(' ');
    return post('/v1/account/tokens', { label: $('label').value.trim(), scopes, days: Number(days.value), password: $('password-again').value });
  }, ({ token }) => {
    showToken(token);
    showClientSetups(token);
    showTokens();
  });
}

function showToken(token) {
  const tokenField = el('input', { type: 'text', readonly: true, class: 'field', value: token, 'aria-label': t('connect.token'), onfocus: (event) => event.target.select() });
  const another = el('button', { type: 'button', class: 'quiet', onclick: () => $('new-token-content').replaceChildren(newTokenForm()) }, t('connect.another'));
  $('new-token-content').replaceChildren(el('p', { role: 'status' }, t('connect.once')),
    el('div', { class: 'row' }, tokenField, doneButton(t('copy'), t('copied'), () => copy(token))), el('div', {}, another));
  tokenField.focus();
}

// Dates are written as in the reader's country, if the page is in its language.
const locale = navigator.language?.toLowerCase().startsWith(language) ? navigator.language : language;
const dateText = (millis) => new Date(millis).toLocaleDateString(locale, { dateStyle: 'medium' });

function tokenRow(token) {
  const about = [t('connect.made', { date: dateText(token.created) }),
    token.last_used ? t('connect.used', { date: dateText(token.last_used) }) : t('connect.unused'),
    token.expires ? t('connect.until', { date: dateText(token.expires) }) : null, token.scopes.join(' ')].filter(Boolean).join(' · ');
  const name = token.label || t('connect.unnamed');
  const revoke = el('button', { type: 'button', 'aria-label': `${t('connect.revoke')}: ${name}`, onclick: () => {
    const confirm = el('button', { type: 'button', class: 'danger', onclick: async () => { await del(`/v1/account/tokens/${encodeURIComponent(token.id)}`); await showTokens(); } }, t('connect.yesRevoke'));
    revoke.replaceWith(confirm);
    confirm.focus();
  } }, t('connect.revoke'));
  return el('li', { class: 'plain' }, el('div', {}, el('p', { class: 'player-names' }, name), el('p', { class: 'small' }, about)), revoke);
}

async function showTokens() {
  const { tokens } = await get('/v1/account/tokens');
  const valid = tokens.filter((token) => token.valid);
  const revokeAll = el('button', { type: 'button', class: 'danger', onclick: async () => { await del('/v1/account/tokens'); await showTokens(); } }, t('connect.revokeAll'));
  $('tokens').replaceChildren(...valid.map(tokenRow), ...(valid.length > 1 ? [el('li', { class: 'plain' }, revokeAll)] : []));
  show($('token-section'), valid.length > 0);
}

/** Shows who is signed in, with tokens, or the form to sign in. */
function showAccount(me) {
  const isSignedIn = me.kind === 'human' || me.kind === 'bot';
  $('account-content').replaceChildren(...(isSignedIn ? accountDetails(me) : [signInForm(me)]));
  show($('new-token-section'), isSignedIn);
  show($('token-section'), false);
  if (!isSignedIn) return;
  $('new-token-content').replaceChildren(newTokenForm());
  showTokens();
}

async function loadAccount() {
  showClientSetups();
  try {
    showAccount(await get('/v1/me'));
  } catch (error) {
    $('account-content').replaceChildren(el('p', { role: 'alert', class: 'error' }, errorText(error)));
  }
}

await loadAccount();
document.documentElement.dataset.ready = 'yes';
