// Settings of the page, stored in the browser, and the dialog that changes them.

import { el, showDialog } from './dom.js';
import { storage } from './storage.js';
import { isSoundOn, setSoundOn } from './sound.js';
import { t } from './i18n.js';

/** Key in the storage, keys of the translations of the label and of the values, and the values; the first is the default. */
const CHOICES = [
  ['theme', 'theme', 'themes', ['system', 'light', 'dark', 'contrast']],
  ['board', 'boardColors', 'boards', ['walnut', 'meadow', 'slate', 'paper', 'clear']],
  ['language', 'language', 'languages', ['system', 'en', 'de']],
];
/** Key in the storage and of the label, and the default. */
const SWITCHES = [['coordinates', true], ['moving', true]];

/** Applies the stored settings to the page. */
function applySettings() {
  const root = document.documentElement;
  const theme = storage.get('theme', 'system');
  if (theme === 'system') delete root.dataset.theme; else root.dataset.theme = theme;
  root.dataset.board = storage.get('board', 'walnut');
  root.dataset.coordinates = storage.get('coordinates', true) ? 'shown' : 'hidden';
  root.dataset.motion = storage.get('moving', true) ? 'full' : 'none';
}

/** Opens the dialog. */
export function openSettings() {
  const choices = CHOICES.map(([key, label, valueLabels, values]) => {
    const select = el('select', {
      onchange: () => {
        storage.set(key, select.value);
        if (key === 'language') location.reload(); else applySettings();
      },
    }, values.map((value) => el('option', { value, selected: storage.get(key, values[0]) === value }, t(`${valueLabels}.${value}`))));
    return el('label', {}, el('span', {}, t(label)), select);
  });
  const switches = SWITCHES.map(([key, isOnByDefault]) => {
    const box = el('input', { type: 'checkbox', checked: storage.get(key, isOnByDefault), onchange: () => { storage.set(key, box.checked); applySettings(); } });
    return el('label', { class: 'switch' }, box, el('span', {}, t(key)));
  });
  const soundBox = el('input', { type: 'checkbox', checked: isSoundOn(), onchange: () => setSoundOn(soundBox.checked) });
  const dialog = el('dialog', { class: 'settings', 'aria-label': t('settings') },
    el('form', { method: 'dialog' }, el('h2', {}, t('settings')), choices, switches,
      el('label', { class: 'switch' }, soundBox, el('span', {}, t('sound'))),
      el('button', { class: 'main' }, t('close'))));
  showDialog(dialog);
}

applySettings();
