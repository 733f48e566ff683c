// How the page looks to this person: remembered in the browser, and asked for in one small dialog.

import { el, showDialog } from './dom.js';
import { storage } from './storage.js';
import { setSound, soundIsOn } from './sound.js';
import { t } from './i18n.js';

const CHOICES = [
  ['theme', 'theme', 'themes', ['system', 'light', 'dark', 'contrast']],
  ['board', 'boardColors', 'boards', ['walnut', 'meadow', 'slate', 'paper', 'clear']],
  ['language', 'language', 'languages', ['system', 'en', 'de']],
];
const SWITCHES = [['coordinates', true], ['moving', true]];

/** Makes the page look as it was chosen. */
export function applySettings() {
  const root = document.documentElement;
  const theme = storage.get('theme', 'system');
  if (theme === 'system') delete root.dataset.theme; else root.dataset.theme = theme;
  root.dataset.board = storage.get('board', 'walnut');
  root.dataset.coordinates = storage.get('coordinates', true) ? 'shown' : 'hidden';
  root.dataset.motion = storage.get('moving', true) ? 'glides' : 'none';
}

/** Opens the dialog. */
export function openSettings() {
  const chosen = CHOICES.map(([key, label, words, values]) => {
    const select = el('select', {
      onchange: () => {
        storage.set(key, select.value);
        if (key === 'language') location.reload(); else applySettings();
      },
    }, values.map((value) => el('option', { value, selected: storage.get(key, values[0]) === value }, t(`${words}.${value}`))));
    return el('label', {}, el('span', {}, t(label)), select);
  });
  const switched = SWITCHES.map(([key, usual]) => {
    const box = el('input', { type: 'checkbox', checked: storage.get(key, usual), onchange: () => { storage.set(key, box.checked); applySettings(); } });
    return el('label', { class: 'switch' }, box, el('span', {}, t(key)));
  });
  const noise = el('input', { type: 'checkbox', checked: soundIsOn(), onchange: () => setSound(noise.checked) });
  const dialog = el('dialog', { class: 'settings', 'aria-label': t('settings') },
    el('form', { method: 'dialog' }, el('h2', {}, t('settings')), chosen, switched,
      el('label', { class: 'switch' }, noise, el('span', {}, t('sound'))),
      el('button', { class: 'main' }, t('close'))));
  showDialog(dialog);
}

applySettings();
