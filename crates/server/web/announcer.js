// The strip in which the arbiter speaks: a live region that screen readers read aloud. Refusals are alerts.

import { el } from './dom.js';
import { post } from './http.js';
import { squareIndex } from './fen.js';
import { evidenceShapes } from './board_overlay.js';
import { language, t } from './i18n.js';

const MAX_SUGGESTIONS = 4;
const SQUARE_PATTERN = /\b((?:(?:white|black) )?(?:king|queen|rook|bishop|knight|pawn) on [a-h][1-8]|[a-h][1-8])\b/g;

/** A sentence in which the pieces and squares that it names are underlined; `onHover(square)` for the one pointed at. */
function withSquareNames(text, onHover) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(SQUARE_PATTERN)) {
    parts.push(text.slice(end, match.index));
    const square = match[0].slice(-2);
    parts.push(el('span', { class: 'square-name', onpointerenter: () => onHover(squareIndex(square)), onpointerleave: () => onHover(-1) }, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.') : '');

/** The strip, and the squares that it highlights on a board. */
export class Announcer {
  constructor(node, board) {
    this.node = node;
    this.board = board;
    this.status = el('p', { role: 'status', 'aria-live': 'polite', 'aria-label': t('arbiter'), class: 'announcement' });
    // The law book's sentences are English.
    this.alert = el('p', { role: 'alert', class: 'announcement', lang: 'en' });
    this.dangers = el('div', { 'aria-live': 'polite', lang: 'en' });
    this.more = el('div', { class: 'more' });
    node.replaceChildren(this.status, this.alert, this.dangers, this.more);
    this.kind = '';
  }

  /** Shows a text of a kind: `news`, `preview` or `refusal`; `more` are nodes below it. */
  set(kind, text, more, squares) {
    const isAlert = kind === 'refusal';
    const [used, unused] = isAlert ? [this.alert, this.status] : [this.status, this.alert];
    const key = `${kind}|${text}`;
    this.kind = kind;
    this.node.dataset.kind = kind;
    unused.textContent = '';
    if (this.key !== key || !used.textContent) {
      used.replaceChildren(...withSquareNames(sentence(text), (square) => this.highlightNamed(square)));
    }
    this.key = key;
    this.dangers.replaceChildren();
    this.more.replaceChildren(...more);
    this.highlight(squares);
  }

  /** What happened, what is offered. */
  showNews(text, more = []) { this.set('news', text, more, []); }

  /** Adds a sentence to what is shown. */
  appendNews(text) { this.showNews(`${this.status.textContent} ${text}`.trim()); }

  /** What a move would do, before it is made. */
  showPreview(text, hint) { this.set('preview', text, hint ? [el('span', {}, hint)] : [], []); }

  /**
   * Why something was refused. `position` and `input` allow to ask for the law; `onSuggestion(move)` is called when
   * somebody takes one of the moves in `didYouMean`.
   */
  showRefusal({ text, squares = [], didYouMean = [], input = '', position = null, onSuggestion = null }) {
    const more = [];
    if (position && input) {
      more.push(el('button', { type: 'button', class: 'link', onclick: (event) => this.showLaw(event.currentTarget, position, input) }, t('whichLaw')));
    }
    for (const move of didYouMean.slice(0, MAX_SUGGESTIONS)) {
      more.push(el('button', { type: 'button', class: 'link', onclick: () => onSuggestion?.(move) }, t('didYouMean', { move })));
    }
    this.set('refusal', text, more, squares);
  }

  /** Adds which king is in danger, in the arbiter's words, with buttons that highlight the squares. */
  showDangers(dangers = []) {
    this.dangers.replaceChildren(...dangers.map(({ text, squares }) => {
      const toggle = el('button', { type: 'button', class: 'link', 'aria-pressed': 'false', lang: language }, t('showSquares'));
      toggle.addEventListener('click', () => {
        const isPressed = toggle.getAttribute('aria-pressed') === 'true';
        for (const one of this.dangers.querySelectorAll('.link')) one.setAttribute('aria-pressed', 'false');
        toggle.setAttribute('aria-pressed', String(!isPressed));
        this.highlight(isPressed ? [] : squares);
      });
      return el('div', {}, el('p', {}, withSquareNames(text, (square) => this.highlightNamed(square))), toggle);
    }));
  }

  /** Empties the strip. */
  clear() { this.set('news', '', [], []); }

  /** Highlights squares on the board. */
  highlight(squares) {
    this.squares = squares;
    this.board.overlay.draw('evidence', evidenceShapes(squares));
  }

  /** Highlights one square more strongly, -1 for none. */
  highlightNamed(square) {
    const extra = square < 0 ? [] : [{ kind: 'ring', square, tone: 'strong' }];
    this.board.overlay.draw('evidence', [...evidenceShapes(this.squares), ...extra]);
  }

  /** Asks the arbiter which conditions a move fulfils and which it breaks, and shows them in place of the button. */
  async showLaw(button, position, move) {
    button.disabled = true;
    try {
      const report = await post('/arbiter/explain', { position, move });
      const items = report.conditions.map(({ name, source, holds }) => el('li', { class: holds ? 'holds' : 'broken' },
        el('span', { 'aria-hidden': 'true' }, holds ? '✓ ' : '✗ '), el('span', { class: 'visually-hidden' }, `${t(holds ? 'holds' : 'broken')}: `),
        name, el('small', {}, ` (${source})`)));
      const broken = report.broken.map(({ text }) => el('p', {}, sentence(text)));
      button.replaceWith(el('div', { class: 'checklist' }, items.length ? el('ul', {}, items) : null, ...(items.length ? [] : broken)));
    } catch (error) {
      button.replaceWith(el('span', {}, error.status === 404 ? t('notHere') : error.message));
    }
  }
}
