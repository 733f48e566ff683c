// Where a finished game turned: asked for by a button, drawn as a small graph of White's chance, and told in words.

import { el, svg } from './dom.js';
import { post } from './http.js';
import { numbering } from './fen.js';
import { t } from './i18n.js';

/** How often the server is asked how far it has come. */
const ROUND = 700;
const [WIDTH, HEIGHT] = [300, 72];

const percent = (value) => `${Math.round(value)} %`;

/** The number of a move before its SAN: `12.` or `12…`. */
function numbered(model, ply) {
  const { number, isBlack } = numbering(model.startFen, ply - 1);
  return `${number}${isBlack ? '…' : '.'} ${model.history[ply - 1].san}`;
}

/** The review of one game. `acts`: `look(ply)`, `better(turning)`. */
export class Review {
  constructor(model, acts) {
    this.model = model;
    this.acts = acts;
    this.node = el('section', { class: 'review', 'aria-label': t('review.title') });
    this.offer();
  }

  /** The button that asks for it. */
  offer(trouble = '') {
    this.isWaiting = false;
    this.node.replaceChildren(
      el('button', { type: 'button', onclick: () => this.ask() }, t('review.ask')),
      ...(trouble ? [el('p', { class: 'small trouble', role: 'alert' }, trouble)] : []));
  }

  async ask() {
    this.isWaiting = true;
    const bar = el('progress', { 'aria-label': t('review.progress'), max: 1, value: 0 });
    const cancel = el('button', { type: 'button', class: 'quiet', onclick: () => { this.offer(); this.node.querySelector('button').focus(); } }, t('review.cancel'));
    this.node.replaceChildren(el('p', { class: 'small', role: 'status' }, t('review.looking')), el('div', { class: 'row' }, bar, cancel));
    cancel.focus();
    try {
      while (this.isWaiting && this.node.isConnected) {
        const { status, done, of, review } = await post(`/v1/tables/${this.model.game}/review`, {});
        if (!this.isWaiting) return;
        if (status === 'done') { this.fill(review); return; }
        bar.max = Math.max(1, of);
        bar.value = done;
        await new Promise((later) => { setTimeout(later, ROUND); });
      }
    } catch (error) {
      if (this.isWaiting) this.offer(error.status ? error.message : t('noServer'));
    }
  }

  fill(review) {
    this.isWaiting = false;
    this.found = review;
    const { positions, turnings, accuracy, complete } = review;
    const sides = ['white', 'black'].filter((side) => accuracy[side] !== null);
    const exact = sides.map((side) => t('review.exact', { color: t(`Colors.${side}`), percent: percent(accuracy[side]) })).join(' ');
    const summary = [exact, turnings.length ? t('review.turned', { moves: turnings.map(({ ply }) => numbered(this.model, ply)).join(', ') }) : t('review.steady')].join(' ');
    this.graph = this.draw(positions, turnings, summary);
    const points = turnings.map((turning) => el('li', {},
      el('button', { type: 'button', class: 'link', onclick: () => this.acts.look(turning.ply) }, numbered(this.model, turning.ply)),
      // The button has said which move it is.
      el('p', {}, turning.text.slice(turning.text.indexOf(': ') + 1).trim()),
      turning.better.length ? el('button', { type: 'button', class: 'quiet', 'aria-label': t('review.showOf', { move: numbered(this.model, turning.ply) }), onclick: () => this.acts.better(turning) }, t('review.show')) : null));
    const words = positions.slice(1).map(({ chance, slip }, index) => el('li', {},
      `${numbered(this.model, index + 1)}: ${t('review.chance', { percent: percent(chance) })}${slip ? `, ${t(`review.slips.${slip}`)}` : ''}`));
    this.node.replaceChildren(
      el('h3', {}, t('review.title')), this.graph,
      el('p', { class: 'small', role: 'status' }, `${summary}${complete ? '' : ` ${t('review.incomplete')}`}`),
      ...(points.length ? [el('ol', { class: 'turnings', 'aria-label': t('review.points') }, points)] : []),
      el('details', { class: 'fold' }, el('summary', {}, t('review.inWords')), el('ol', { class: 'chances' }, words)));
    this.mark(this.ply ?? this.model.history.length);
  }

  /** White's chance from the left to the right; Black's is what is left above it. */
  draw(positions, turnings, summary) {
    const last = Math.max(1, positions.length - 1);
    this.x = (ply) => ply / last * WIDTH;
    this.y = (chance) => HEIGHT - chance / 100 * HEIGHT;
    const points = positions.map(({ chance }, ply) => `${this.x(ply).toFixed(1)} ${this.y(chance).toFixed(1)}`);
    this.cursor = svg('line', { class: 'cursor', y1: 0, y2: HEIGHT });
    const graph = svg('svg', { class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('review.graph', { summary }) },
      svg('path', { class: 'whites', d: `M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z` }),
      svg('line', { class: 'even', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg('path', { class: 'course', d: `M${points.join('L')}` }),
      ...turnings.map(({ ply }) => svg('line', { class: 'turn', x1: this.x(ply), x2: this.x(ply), y1: 0, y2: HEIGHT })),
      this.cursor);
    graph.addEventListener('click', (event) => {
      const box = graph.getBoundingClientRect();
      this.acts.look(Math.round((event.clientX - box.left) / box.width * last));
    });
    return graph;
  }

  /** Marks the ply that the board shows. */
  mark(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    const x = Math.min(WIDTH - 1, Math.max(1, this.x(ply)));
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
  }
}
