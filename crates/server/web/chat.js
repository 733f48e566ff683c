// What people say to each other: players among themselves, spectators among themselves.

import { el } from './dom.js';
import { t } from './i18n.js';

/** The chat of a table; `say(text)` sends a line. */
export class Chat {
  constructor(node, say) {
    this.node = node;
    this.lines = el('ol', { class: 'lines', 'aria-live': 'polite', 'aria-label': t('chat'), tabindex: '0' });
    this.note = el('p', { class: 'small' });
    const field = el('input', { type: 'text', class: 'field', 'aria-label': t('say'), placeholder: t('say'), maxlength: '200', autocomplete: 'off' });
    const form = el('form', { class: 'row' }, field, el('button', {}, t('send')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!text) return;
      field.value = '';
      say(text);
    });
    this.count = el('span', { class: 'count' });
    this.unread = 0;
    this.fold = el('details', {}, el('summary', {}, t('chat'), this.count), this.note, this.lines, form);
    this.fold.addEventListener('toggle', () => { this.unread = 0; this.count.textContent = ''; this.lines.scrollTop = this.lines.scrollHeight; });
    node.replaceChildren(this.fold);
    this.seen = new Set();
  }

  /** Shows lines that were not shown yet. */
  hear(lines, isPlayer) {
    this.node.hidden = false;
    this.note.textContent = t(isPlayer ? 'chatPlayers' : 'chatSpectators');
    for (const line of lines) {
      const key = `${line.room}${line.number}`;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      this.lines.append(el('li', {}, el('b', {}, line.name || '–'), ` ${line.text}`));
      if (!this.fold.open) this.unread += 1;
    }
    this.count.textContent = this.unread ? ` · ${this.unread}` : '';
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** Says why a line was not said. */
  refuse(text) { this.note.textContent = text; }
}
