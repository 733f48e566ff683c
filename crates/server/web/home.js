// The first page: three choices, and a link to send.

import { $, firstPaint, show } from './dom.js';
import { get, post } from './http.js';
import { storage } from './storage.js';
import { errorText, t, translate } from './i18n.js';
import { Board } from './board.js';
import { START_FEN, readFen } from './fen.js';
import { openSettings } from './settings.js';

/** The position that the small board shows for each variant. */
const SAMPLE_POSITIONS = {
  chess: START_FEN, chess960: 'rkbqnrbn/pppppppp/8/8/8/8/PPPPPPPP/RKBQNRBN w KQkq - 0 1',
  atomic: 'rnbq3r/ppp1p1pp/8/3p4/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3', 'simple-atomic': START_FEN,
};

translate();
await firstPaint();

const checkedValue = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value;

/** Restores the choice of a row of chips from the last visit, and stores it whenever it changes. */
function setUpChips(name, onChange) {
  const all = [...document.querySelectorAll(`input[name="${name}"]`)];
  const last = all.find((chip) => chip.value === storage.get(name, ''));
  if (last) last.checked = true;
  for (const chip of all) chip.addEventListener('change', () => { storage.set(name, chip.value); onChange?.(chip.value); });
  onChange?.(checkedValue(name));
}

const sample = new Board($('sample'), { label: t('home.sample'), isSmall: true });
$('sample').inert = true;
setUpChips('variant', (variant) => {
  sample.draw(readFen(SAMPLE_POSITIONS[variant]).pieces, { isAnimated: false });
  sample.overlay.draw('explosion', variant === 'atomic' ? [{ kind: 'circle', square: 53 }] : []);
  $('variant-line').textContent = t(`variantLines.${variant}`);
});
setUpChips('clock', (clock) => show($('custom-row'), clock === 'other'));
setUpChips('side');
$('name').value = storage.get('name', '');
// The level of the last visit may not exist any more.
const lastLevel = [...$('level').options].find((option) => option.value === storage.get('level', ''));
if (lastLevel) lastLevel.selected = true;
$('level').addEventListener('change', () => storage.set('level', $('level').value));
$('settings').addEventListener('click', openSettings);

/** The body of the request for a new table. */
function newTableBody() {
  const clock = checkedValue('clock');
  const time = clock === 'other' ? $('custom').value.trim() : clock;
  const terms = { variant: checkedValue('variant') };
  if (time && time !== 'none') terms.time = time;
  for (const key of ['draws', 'flag', 'dead']) if ($(key).selectedIndex > 0) terms[key] = $(key).value;
  for (const key of ['takebacks', 'gifts']) if (!$(key).checked) terms[key] = false;
  const start = $('start').value.trim();
  if (start) terms.start = /^\d+$/.test(start) ? Number(start) : start;
  const name = $('name').disabled ? '' : $('name').value.trim();
  if (!$('name').disabled) storage.set('name', name);
  return { terms, side: checkedValue('side'), ...(name ? { name } : {}), ...($('public').checked ? { public: true } : {}) };
}

/** Makes a table and goes there. */
async function createTable(button, extra) {
  $('error').textContent = '';
  $('news').textContent = '';
  button.disabled = true;
  try {
    const table = await post('/v1/tables', { ...newTableBody(), ...extra });
    location.href = `/${table.game}`;
  } catch (error) {
    $('error').textContent = errorText(error);
    button.disabled = false;
  }
}

/** Challenges somebody by name; the game opens when the challenge is accepted. */
async function challenge(to) {
  $('error').textContent = '';
  try {
    const { name: _, ...terms } = newTableBody();
    // One of the server's own bots accepts at once, so the game is awaited before the challenge is sent.
    (await import('./lobby.js')).awaitGame();
    await post('/v1/challenges', { ...terms, to });
    $('news').textContent = t('home.challenged', { name: to });
    $('challenge-to').value = '';
  } catch (error) {
    $('error').textContent = errorText(error);
  }
}

$('new-game').addEventListener('submit', (event) => {
  event.preventDefault();
  const to = $('challenge-to').value.trim();
  if (to) challenge(to); else createTable($('invite'), {});
});
$('computer').addEventListener('click', () => createTable($('computer'), { computer: $('level').value, ...($('resigns').checked ? {} : { resigns: false }) }));
addEventListener('pageshow', () => { $('invite').disabled = false; $('computer').disabled = false; });

/** Shows who is signed in: he plays under the name of the account, and may challenge others by theirs. */
async function showCurrentUser() {
  const me = await get('/v1/me').catch(() => null);
  if (me?.kind !== 'human' && me?.kind !== 'bot') {
    if (new URLSearchParams(location.search).has('challenge')) $('news').textContent = t('home.forAccounts');
    return;
  }
  $('account-link').textContent = me.name;
  $('account-link').setAttribute('aria-label', t('home.signedIn', { name: me.name }));
  $('name').value = me.name;
  $('name').disabled = true;
  show($('challenge-row'));
}

// The lists of games come when the rest is there.
import('./lobby.js').then(({ showLists }) => { showLists(); showCurrentUser(); });
document.documentElement.dataset.ready = 'yes';
