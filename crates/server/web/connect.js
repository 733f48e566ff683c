// Connecting programs: signing in, tokens, and what to write into the settings of clients of Lichess.

import { $, copy, doneButton, el, show } from './dom.js';
import { del, get, post } from './http.js';
import { language, t, translate } from './i18n.js';
import { openSettings } from './settings.js';

translate();
$('settings').addEventListener('click', openSettings);

const SCOPES = ['board:play', 'bot:play', 'challenge:read', 'challenge:write', 'account:read', 'host'];
const USUAL = new Set(['board:play', 'bot:play', 'challenge:read', 'challenge:write', 'account:read']);
/** Stands where the token goes, until there is one. */
const GAP = 'tm_…';

/** What each client reads, with the address and the token in it: its name, what it is for, and the text. */
const RECIPES = [
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

function showRecipes(token = GAP) {
  $('recipes').replaceChildren(...RECIPES.map(([name, write]) => {
    const text = write(location.origin, token);
    return el('section', { 'aria-label': name }, el('h3', {}, name), el('p', { class: 'small' }, t(`connect.about.${name}`)),
      el('pre', { tabindex: '0', 'aria-label': t('connect.settingsOf', { name }) }, text),
      doneButton(t('connect.copyFor', { name }), t('copied'), () => copy(text)));
  }), el('p', { class: 'small' }, t('connect.others')));
}

const why = (error) => (error.status ? error.message : t('noServer'));

/** A labelled field of a form. */
function field(id, label, props) {
  const input = el('input', { class: 'field', id, ...props });
  return [el('label', { for: id }, label), input];
}

/** A form that does something, and says why if it cannot. */
function form(rows, action, done) {
  const trouble = el('p', { role: 'alert', class: 'trouble' });
  const node = el('form', { class: 'stack' }, rows, trouble);
  node.addEventListener('submit', async (event) => {
    event.preventDefault();
    const buttons = [...node.querySelectorAll('button')];
    trouble.textContent = '';
    for (const button of buttons) button.disabled = true;
    try {
      done(await action(event.submitter?.value ?? ''));
    } catch (error) {
      trouble.textContent = why(error);
    }
    for (const button of buttons) button.disabled = false;
  });
  return node;
}

function signIn(me) {
  const rows = [
    ...field('name', t('connect.name'), { autocomplete: 'username', autocapitalize: 'off', spellcheck: 'false', required: true, maxlength: '40' }),
    ...field('password', t('connect.password'), { type: 'password', autocomplete: 'current-password', required: true }),
    el('div', { class: 'row' }, el('button', { class: 'main', value: 'in' }, t('connect.signIn')),
      me.registration ? el('button', { value: 'up' }, t('connect.signUp')) : null),
    el('p', { class: 'small' }, t(me.registration ? 'connect.open' : 'connect.closed')),
  ];
  return form(rows, (wanted) => {
    const sent = { name: $('name').value.trim(), password: $('password').value };
    return post(wanted === 'up' ? '/v1/account' : '/v1/session', sent);
  }, (now) => {
    // Whoever was sent here by a program that asks for a token goes back to its question.
    const next = new URLSearchParams(location.search).get('next') ?? '';
    if (next.startsWith('/oauth?')) location.href = next;
    else showAccount(now);
  });
}

function signedIn(me) {
  const out = el('button', { type: 'button', onclick: async () => { await del('/v1/session'); await begin(); } }, t('connect.signOut'));
  const change = form([
    el('input', { type: 'text', class: 'unseen', autocomplete: 'username', value: me.name, tabindex: '-1', 'aria-hidden': 'true', readonly: true }),
    ...field('old', t('connect.old'), { type: 'password', autocomplete: 'current-password', required: true }),
    ...field('new', t('connect.new'), { type: 'password', autocomplete: 'new-password', required: true }),
    el('label', { class: 'tick' }, el('input', { type: 'checkbox', id: 'keep' }), el('span', {}, t('connect.keepTokens'))),
    el('div', {}, el('button', {}, t('connect.change'))),
  ], () => post('/v1/account/password', { old: $('old').value, new: $('new').value, keep_tokens: $('keep').checked }), (now) => {
    showAccount(now);
    $('who').prepend(el('p', { role: 'status' }, t('connect.changed')));
  });
  return [
    el('p', {}, t(me.kind === 'bot' ? 'connect.youAreBot' : 'connect.youAre'), ' ', el('b', {}, me.name)),
    el('div', { class: 'row' }, out),
    el('details', { class: 'fold' }, el('summary', {}, t('connect.changePassword')), change),
  ];
}

function makeForm() {
  const boxes = SCOPES.map((scope) => el('label', { class: 'tick' }, el('input', { type: 'checkbox', name: 'scope', value: scope, checked: USUAL.has(scope) }),
    el('span', {}, t(`connect.scopes.${scope}`), ' ', el('code', {}, scope))));
  const days = el('select', { id: 'days' }, ['365', '90', '30', '0'].map((value) => el('option', { value }, t(`connect.days.${value === '0' ? 'ever' : value}`))));
  const rows = [
    ...field('label', t('connect.label'), { maxlength: '80', placeholder: t('connect.labelHint'), autocomplete: 'off' }),
    el('fieldset', { class: 'choice' }, el('legend', {}, t('connect.may')), boxes),
    el('label', { for: 'days' }, t('connect.lasts')), days,
    ...field('again', t('connect.again'), { type: 'password', autocomplete: 'current-password' }),
    el('div', {}, el('button', { class: 'main' }, t('connect.makeIt'))),
  ];
  const made = form(rows, () => {
    const scopes = [...document.querySelectorAll('input[name="scope"]:checked')].map((box) => box.value).join(' ');
    return post('/v1/account/tokens', { label: $('label').value.trim(), scopes, days: Number(days.value), password: $('again').value });
  }, ({ token }) => {
    showToken(token);
    showRecipes(token);
    showTokens();
  });
  return made;
}

function showToken(token) {
  const shown = el('input', { type: 'text', readonly: true, class: 'field', value: token, 'aria-label': t('connect.token'), onfocus: (event) => event.target.select() });
  const again = el('button', { type: 'button', class: 'quiet', onclick: () => $('make').replaceChildren(makeForm()) }, t('connect.another'));
  $('make').replaceChildren(el('p', { role: 'status' }, t('connect.once')),
    el('div', { class: 'row' }, shown, doneButton(t('copy'), t('copied'), () => copy(token))), el('div', {}, again));
  shown.focus();
}

// Dates as they are written where the reader lives, in the language of the page.
const locale = navigator.language?.toLowerCase().startsWith(language) ? navigator.language : language;
const date = (millis) => new Date(millis).toLocaleDateString(locale, { dateStyle: 'medium' });

function tokenRow(token) {
  const about = [t('connect.made', { date: date(token.created) }),
    token.last_used ? t('connect.used', { date: date(token.last_used) }) : t('connect.unused'),
    token.expires ? t('connect.until', { date: date(token.expires) }) : null, token.scopes.join(' ')].filter(Boolean).join(' · ');
  const name = token.label || t('connect.unnamed');
  const revoke = el('button', { type: 'button', 'aria-label': `${t('connect.revoke')}: ${name}`, onclick: () => {
    const yes = el('button', { type: 'button', class: 'danger', onclick: async () => { await del(`/v1/account/tokens/${encodeURIComponent(token.id)}`); await showTokens(); } }, t('connect.yesRevoke'));
    revoke.replaceWith(yes);
    yes.focus();
  } }, t('connect.revoke'));
  return el('li', { class: 'plain' }, el('div', {}, el('p', { class: 'who' }, name), el('p', { class: 'small' }, about)), revoke);
}

async function showTokens() {
  const { tokens } = await get('/v1/account/tokens');
  const valid = tokens.filter((token) => token.valid);
  const all = el('button', { type: 'button', class: 'danger', onclick: async () => { await del('/v1/account/tokens'); await showTokens(); } }, t('connect.revokeAll'));
  $('tokens').replaceChildren(...valid.map(tokenRow), ...(valid.length > 1 ? [el('li', { class: 'plain' }, all)] : []));
  show($('having'), valid.length > 0);
}

/** Shows who is signed in, and what he may do here. */
function showAccount(me) {
  const isPerson = me.kind === 'human' || me.kind === 'bot';
  $('who').replaceChildren(...(isPerson ? signedIn(me) : [signIn(me)]));
  show($('making'), isPerson);
  show($('having'), false);
  if (!isPerson) return;
  $('make').replaceChildren(makeForm());
  showTokens();
}

async function begin() {
  showRecipes();
  try {
    showAccount(await get('/v1/me'));
  } catch (error) {
    $('who').replaceChildren(el('p', { role: 'alert', class: 'trouble' }, why(error)));
  }
}

await begin();
document.documentElement.dataset.ready = 'yes';
