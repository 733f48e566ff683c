// The arbiter's voice: one strip, always in the same place, which a screen reader speaks. Refusals are alerts.

import { el } from './dom.js';
import { post } from './http.js';
import { at } from './fen.js';
import { evidence } from './board_overlay.js';
import { language, t } from './i18n.js';

const SQUARE = /\b((?:(?:white|black) )?(?:king|queen|rook|bishop|knight|pawn) on [a-h][1-8]|[a-h][1-8])\b/g;

/** A sentence with the men and squares that it names marked. */
function marked(text, point) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(SQUARE)) {
    parts.push(text.slice(end, match.index));
    const square = match[0].slice(-2);
    parts.push(el('span', { class: 'named', onpointerenter: () => point(at(square)), onpointerleave: () => point(-1) }, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.') : '');

/** The strip, and what it lights on a board. */
export class Voice {
  constructor(node, board) {
    this.node = node;
    this.board = board;
    this.status = el('p', { role: 'status', 'aria-live': 'polite', 'aria-label': t('arbiter'), class: 'says' });
    // The law book's sentences are English.
    this.alert = el('p', { role: 'alert', class: 'says', lang: 'en' });
    this.perils = el('div', { 'aria-live': 'polite', lang: 'en' });
    this.more = el('div', { class: 'more' });
    node.replaceChildren(this.status, this.alert, this.perils, this.more);
    this.kind = '';
  }

  set(kind, text, more, squares) {
    const isAlert = kind === 'refusal';
    const [speaks, silent] = isAlert ? [this.alert, this.status] : [this.status, this.alert];
    const key = `${kind}|${text}`;
    this.kind = kind;
    this.node.dataset.kind = kind;
    silent.textContent = '';
    if (this.key !== key || !speaks.textContent) {
      speaks.replaceChildren(...marked(sentence(text), (square) => this.point(square)));
    }
    this.key = key;
    this.perils.replaceChildren();
    this.more.replaceChildren(...more);
    this.light(squares);
  }

  point(square) {
    const extra = square < 0 ? [] : [{ kind: 'ring', square, tone: 'strong' }];
    this.board.art.draw('evidence', [...evidence(this.squares), ...extra]);
  }

  /** Adds which king is in danger, in the arbiter's words, with buttons that light the squares. */
  warn(dangers = []) {
    this.perils.replaceChildren(...dangers.map(({ text, squares }) => {
      const light = el('button', { type: 'button', class: 'link', 'aria-pressed': 'false', lang: language }, t('showSquares'));
      light.addEventListener('click', () => {
        const isLit = light.getAttribute('aria-pressed') === 'true';
        for (const one of this.perils.querySelectorAll('.link')) one.setAttribute('aria-pressed', 'false');
        light.setAttribute('aria-pressed', String(!isLit));
        this.light(isLit ? [] : squares);
      });
      return el('div', {}, el('p', {}, marked(text, (square) => this.point(square))), light);
    }));
  }

  /** Lights squares. */
  light(squares) {
    this.squares = squares;
    this.board.art.draw('evidence', evidence(squares));
  }

  /** News: what happened, what is offered. */
  news(text, more = []) { this.set('news', text, more, []); }

  /** What a move would do, before it is made. */
  preview(text, small) { this.set('preview', text, small ? [el('span', {}, small)] : [], []); }

  /**
   * Why not. `plays(move)` is what happens when somebody takes what is offered instead.
   */
  refuse({ text, squares = [], didYouMean = [], typed = '', place = null, plays = null }) {
    const more = [];
    if (place && typed) {
      more.push(el('button', { type: 'button', class: 'link', onclick: (event) => this.law(event.currentTarget, place, typed) }, t('whichLaw')));
    }
    for (const move of didYouMean.slice(0, 4)) {
      more.push(el('button', { type: 'button', class: 'link', onclick: () => plays?.(move) }, t('didYouMean', { move })));
    }
    this.set('refusal', text, more, squares);
  }

  /** Nothing to say. */
  hush() { this.set('news', '', [], []); }

  /** Asks the arbiter for the checklist, and shows what is broken. */
  async law(button, place, typed) {
    button.disabled = true;
    try {
      const report = await post('/arbiter/explain', { position: place, move: typed });
      const items = report.conditions.map(({ name, source, holds }) => el('li', { class: holds ? 'holds' : 'broken' },
        el('span', { 'aria-hidden': 'true' }, holds ? '✓ ' : '✗ '), el('span', { class: 'unseen' }, `${t(holds ? 'holds' : 'broken')}: `),
        name, el('small', {}, ` (${source})`)));
      const broken = report.broken.map(({ text }) => el('p', {}, sentence(text)));
      button.replaceWith(el('div', { class: 'checklist' }, items.length ? el('ul', {}, items) : null, ...(items.length ? [] : broken)));
    } catch (error) {
      button.replaceWith(el('span', {}, error.status === 404 ? t('notHere') : error.message));
    }
  }
}
