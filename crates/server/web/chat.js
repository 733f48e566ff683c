// The chat: players write to each other, spectators to each other.

import { el } from './dom.js';
import { t } from './i18n.js';

/** The chat of a table; `send(text)` sends a line. */
export class Chat {
  constructor(node, send) {
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
      send(text);
    });
    this.countNode = el('span', { class: 'count' });
    this.unreadCount = 0;
    this.details = el('details', {}, el('summary', {}, t('chat'), this.countNode), this.note, this.lines, form);
    this.details.addEventListener('toggle', () => { this.unreadCount = 0; this.countNode.textContent = ''; this.lines.scrollTop = this.lines.scrollHeight; });
    node.replaceChildren(this.details);
    this.shownLines = new Set();
  }

  /** Adds the lines that are not shown yet. */
  addLines(lines, isPlayer) {
    this.node.hidden = false;
    this.note.textContent = t(isPlayer ? 'chatPlayers' : 'chatSpectators');
    for (const line of lines) {
      const key = `${line.room}${line.number}`;
      if (this.shownLines.has(key)) continue;
      this.shownLines.add(key);
      this.lines.append(el('li', {}, el('b', {}, line.name || '–'), ` ${line.text}`));
      if (!this.details.open) this.unreadCount += 1;
    }
    this.countNode.textContent = this.unreadCount ? ` · ${this.unreadCount}` : '';
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** Shows why a line was refused. */
  showRefusal(text) { this.note.textContent = text; }
}
