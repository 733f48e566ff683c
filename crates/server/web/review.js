// The review of a finished game: its turning points, a small graph of White's chance to win, and the same in words.

import { el, svg } from './dom.js';
import { post } from './http.js';
import { moveNumber } from './fen.js';
import { errorText, t } from './i18n.js';

/** How often the server is asked for the progress of the analysis. */
const POLL_INTERVAL_MS = 700;
const [GRAPH_WIDTH, GRAPH_HEIGHT] = [300, 72];

const percent = (value) => `${Math.round(value)} %`;

/** A move with its number: `12. Nf3` or `12… Nf6`. */
function numberedMove(model, ply) {
  const { number, isBlack } = moveNumber(model.startFen, ply - 1);
  return `${number}${isBlack ? '…' : '.'} ${model.history[ply - 1].san}`;
}

/** The review of one game. `handlers`: `showPly(ply)`, `showBetter(turningPoint)`. */
export class Review {
  constructor(model, handlers) {
    this.model = model;
    this.handlers = handlers;
    this.node = el('section', { class: 'review', 'aria-label': t('review.title') });
    this.showRequestButton();
  }

  /** Shows the button that starts the review, after a failure with the reason. */
  showRequestButton(error = '') {
    this.isWaiting = false;
    this.node.replaceChildren(
      el('button', { type: 'button', onclick: () => this.start() }, t('review.ask')),
      ...(error ? [el('p', { class: 'small error', role: 'alert' }, error)] : []));
  }

  /** Asks the server for the review until it is done or cancelled. */
  async start() {
    this.isWaiting = true;
    const bar = el('progress', { 'aria-label': t('review.progress'), max: 1, value: 0 });
    const cancel = el('button', { type: 'button', class: 'quiet', onclick: () => { this.showRequestButton(); this.node.querySelector('button').focus(); } }, t('review.cancel'));
    this.node.replaceChildren(el('p', { class: 'small', role: 'status' }, t('review.looking')), el('div', { class: 'row' }, bar, cancel));
    cancel.focus();
    try {
      while (this.isWaiting && this.node.isConnected) {
        const { status, done, of, review } = await post(`/v1/tables/${this.model.game}/review`, {});
        if (!this.isWaiting) return;
        if (status === 'done') { this.show(review); return; }
        bar.max = Math.max(1, of);
        bar.value = done;
        await new Promise((resolve) => { setTimeout(resolve, POLL_INTERVAL_MS); });
      }
    } catch (error) {
      if (this.isWaiting) this.showRequestButton(errorText(error));
    }
  }

  show(review) {
    this.isWaiting = false;
    const { positions, turnings, accuracy, complete } = review;
    const sides = ['white', 'black'].filter((side) => accuracy[side] !== null);
    const accuracyText = sides.map((side) => t('review.exact', { color: t(`Colors.${side}`), percent: percent(accuracy[side]) })).join(' ');
    const summary = [accuracyText, turnings.length ? t('review.turned', { moves: turnings.map(({ ply }) => numberedMove(this.model, ply)).join(', ') }) : t('review.steady')].join(' ');
    const graph = this.drawGraph(positions, turnings, summary);
    const points = turnings.map((turning) => el('li', {},
      el('button', { type: 'button', class: 'link', onclick: () => this.handlers.showPly(turning.ply) }, numberedMove(this.model, turning.ply)),
      // The button names the move already.
      el('p', {}, turning.text.slice(turning.text.indexOf(': ') + 1).trim()),
      turning.better.length ? el('button', { type: 'button', class: 'quiet', 'aria-label': t('review.showOf', { move: numberedMove(this.model, turning.ply) }), onclick: () => this.handlers.showBetter(turning) }, t('review.show')) : null));
    const chances = positions.slice(1).map(({ chance, slip }, index) => el('li', {},
      `${numberedMove(this.model, index + 1)}: ${t('review.chance', { percent: percent(chance) })}${slip ? `, ${t(`review.slips.${slip}`)}` : ''}`));
    this.node.replaceChildren(
      el('h3', {}, t('review.title')), graph,
      el('p', { class: 'small', role: 'status' }, `${summary}${complete ? '' : ` ${t('review.incomplete')}`}`),
      ...(points.length ? [el('ol', { class: 'turning-points', 'aria-label': t('review.points') }, points)] : []),
      el('details', { class: 'collapsible' }, el('summary', {}, t('review.inWords')), el('ol', { class: 'chances' }, chances)));
    this.markPly(this.ply ?? this.model.history.length);
  }

  /** Draws White's chance from the first move on the left to the last on the right. */
  drawGraph(positions, turnings, summary) {
    const last = Math.max(1, positions.length - 1);
    this.x = (ply) => ply / last * GRAPH_WIDTH;
    this.y = (chance) => GRAPH_HEIGHT - chance / 100 * GRAPH_HEIGHT;
    const points = positions.map(({ chance }, ply) => `${this.x(ply).toFixed(1)} ${this.y(chance).toFixed(1)}`);
    this.cursor = svg('line', { class: 'cursor', y1: 0, y2: GRAPH_HEIGHT });
    const graph = svg('svg', { class: 'graph', viewBox: `0 0 ${GRAPH_WIDTH} ${GRAPH_HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('review.graph', { summary }) },
      svg('path', { class: 'white-chance', d: `M0 ${GRAPH_HEIGHT}L${points.join('L')}L${GRAPH_WIDTH} ${GRAPH_HEIGHT}Z` }),
      svg('line', { class: 'even', x1: 0, x2: GRAPH_WIDTH, y1: GRAPH_HEIGHT / 2, y2: GRAPH_HEIGHT / 2 }),
      svg('path', { class: 'chance-line', d: `M${points.join('L')}` }),
      ...turnings.map(({ ply }) => svg('line', { class: 'turning-point', x1: this.x(ply), x2: this.x(ply), y1: 0, y2: GRAPH_HEIGHT })),
      this.cursor);
    graph.addEventListener('click', (event) => {
      const box = graph.getBoundingClientRect();
      this.handlers.showPly(Math.round((event.clientX - box.left) / box.width * last));
    });
    return graph;
  }

  /** Marks the ply that the board shows. */
  markPly(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    const x = Math.min(GRAPH_WIDTH - 1, Math.max(1, this.x(ply)));
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
  }
}
