// The first page: three choices, and a link to send.

import { $, firstPaint, show } from './dom.js';
import { get, post } from './http.js';
import { storage } from './storage.js';
import { t, translate } from './i18n.js';
import { Board } from './board.js';
import { read } from './fen.js';
import { openSettings } from './settings.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const SAMPLES = {
  chess: START, chess960: 'rkbqnrbn/pppppppp/8/8/8/8/PPPPPPPP/RKBQNRBN w KQkq - 0 1',
  atomic: 'rnbq3r/ppp1p1pp/8/3p4/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3', 'simple-atomic': START,
};

translate();
await firstPaint();

const value = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value;

/** A row of chips: what was chosen last time is chosen, and what is chosen now is kept. */
function chips(name, changed) {
  const all = [...document.querySelectorAll(`input[name="${name}"]`)];
  const last = all.find((chip) => chip.value === storage.get(name, ''));
  if (last) last.checked = true;
  for (const chip of all) chip.addEventListener('change', () => { storage.set(name, chip.value); changed?.(chip.value); });
  changed?.(value(name));
}

const sample = new Board($('sample'), { label: t('home.sample'), isSmall: true });
$('sample').inert = true;
chips('variant', (variant) => {
  sample.draw(read(SAMPLES[variant]).men, { glides: false });
  sample.art.draw('blast', variant === 'atomic' ? [{ kind: 'circle', square: 53 }] : []);
  $('line').textContent = t(`variantLines.${variant}`);
});
chips('clock', (clock) => show($('custom-row'), clock === 'other'));
chips('side');
$('name').value = storage.get('name', '');
// What was chosen last time may not be there any more; levels were numbers once.
const last = [...$('level').options].find((option) => option.value === storage.get('level', ''));
if (last) last.selected = true;
$('level').addEventListener('change', () => storage.set('level', $('level').value));
$('settings').addEventListener('click', openSettings);

/** The game that is wanted, as the server reads it. */
function wanted() {
  const clock = value('clock');
  const time = clock === 'other' ? $('custom').value.trim() : clock;
  const terms = { variant: value('variant') };
  if (time && time !== 'none') terms.time = time;
  for (const key of ['draws', 'flag', 'dead']) if ($(key).selectedIndex > 0) terms[key] = $(key).value;
  for (const key of ['takebacks', 'gifts']) if (!$(key).checked) terms[key] = false;
  const start = $('start').value.trim();
  if (start) terms.start = /^\d+$/.test(start) ? Number(start) : start;
  const name = $('name').disabled ? '' : $('name').value.trim();
  if (!$('name').disabled) storage.set('name', name);
  return { terms, side: value('side'), ...(name ? { name } : {}), ...($('public').checked ? { public: true } : {}) };
}

async function begin(button, extra) {
  const trouble = $('trouble');
  trouble.textContent = '';
  $('news').textContent = '';
  button.disabled = true;
  try {
    const table = await post('/v1/tables', { ...wanted(), ...extra });
    location.href = `/${table.game}`;
  } catch (error) {
    trouble.textContent = error.status ? error.message : t('noServer');
    button.disabled = false;
  }
}

/** Challenges somebody by name; the game opens when the challenge is taken. */
async function challenge(to) {
  $('trouble').textContent = '';
  try {
    const { name: _, ...terms } = wanted();
    // A bot of the house takes it at once.
    (await import('./lobby.js')).awaitGame();
    await post('/v1/challenges', { ...terms, to });
    $('news').textContent = t('home.challenged', { name: to });
    $('to').value = '';
  } catch (error) {
    $('trouble').textContent = error.status ? error.message : t('noServer');
  }
}

$('new').addEventListener('submit', (event) => {
  event.preventDefault();
  const to = $('to').value.trim();
  if (to) challenge(to); else begin($('invite'), {});
});
$('computer').addEventListener('click', () => begin($('computer'), { computer: $('level').value, ...($('resigns').checked ? {} : { resigns: false }) }));
addEventListener('pageshow', () => { $('invite').disabled = false; $('computer').disabled = false; });

/** Whoever is signed in plays under the name of the account, and may challenge others by theirs. */
async function greet() {
  const me = await get('/v1/me').catch(() => null);
  if (me?.kind !== 'human' && me?.kind !== 'bot') {
    if (new URLSearchParams(location.search).has('challenge')) $('news').textContent = t('home.forAccounts');
    return;
  }
  $('me').textContent = me.name;
  $('me').setAttribute('aria-label', t('home.signedIn', { name: me.name }));
  $('name').value = me.name;
  $('name').disabled = true;
  show($('to-row'));
}

// Games to go on with, to join and to watch come when the rest is there.
import('./lobby.js').then(({ showLists }) => { showLists(); greet(); });
document.documentElement.dataset.ready = 'yes';
