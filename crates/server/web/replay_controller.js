// Looking back at a game: step by step, by autoplay, along the line that an ending rests on, or along variations of
// one's own.

import { el } from './dom.js';
import { t } from './i18n.js';
import { applyMove } from './fen.js';
import { icon } from './move_list.js';
import { moveText } from './move_text.js';

const AUTOPLAY_INTERVAL_MS = 900;

const linkButton = (label, onclick) => el('button', { type: 'button', class: 'link', onclick }, label);

/** Changes which position is shown. Calls `render()` after it, and `clearSelection()` before. */
export class ReplayController {
  constructor({ model, shown, announcer, announcements, render, clearSelection }) {
    this.model = model;
    this.shown = shown;
    this.announcer = announcer;
    this.announcements = announcements;
    this.render = render;
    this.clearSelection = clearSelection;
    this.studies = [];
    this.autoplayButton = el('button', { type: 'button', 'aria-label': t('autoplay'), title: t('autoplay'), class: 'autoplay', onclick: () => this.toggleAutoplay() }, icon('autoplay'));
  }

  /** Shows the game after so many plies. */
  showPly(ply) {
    const { model, shown } = this;
    this.stopAutoplay();
    shown.setPly(Math.max(0, Math.min(model.history.length, ply)));
    this.clearSelection();
    if (shown.isLatest) {
      const last = model.history.at(-1);
      this.announcements.announceMissedEvents(last && !model.isOver ? [{ event: 'moved', by: 'arbiter', ...last }] : []);
    } else if (shown.ply === 0) this.announcer.showNews(t('atStart'));
    else {
      const { move, san } = model.history[shown.ply - 1];
      this.announcer.showNews(`${moveText(model.fenAfter(shown.ply - 1), move, san, model.variant)}.`);
    }
    this.render();
  }

  /** Steps through what is shown: a line, a variation or the game. */
  step(count) {
    const { line, study, ply } = this.shown;
    if (line) this.showLineStep(line.shownMoves + count);
    else if (study) {
      const target = study.shownMoves + count;
      if (target <= 0) this.showPly(target < -1 ? 0 : study.ply);
      else {
        study.shownMoves = Math.min(target, study.moves.length);
        this.render();
      }
    } else this.showPly(Math.min(ply, this.model.history.length) + count);
  }

  toggleAutoplay() {
    const { shown } = this;
    if (this.autoplayTimer) { this.stopAutoplay(); return; }
    if (shown.isLatest && !shown.line) this.showPly(0);
    this.autoplayButton.replaceChildren(icon('pause'));
    this.autoplayButton.setAttribute('aria-label', t('pause'));
    this.autoplayTimer = setInterval(() => {
      const { line, ply } = shown;
      const [position, end] = line ? [line.shownMoves, line.moves.length] : [ply, this.model.history.length];
      if (position >= end) { this.stopAutoplay(); return; }
      // A step by hand stops the autoplay; this one must not.
      const timer = this.autoplayTimer;
      this.autoplayTimer = null;
      this.step(1);
      this.autoplayTimer = timer;
    }, AUTOPLAY_INTERVAL_MS);
  }

  stopAutoplay() {
    if (!this.autoplayTimer) return;
    clearInterval(this.autoplayTimer);
    this.autoplayTimer = null;
    this.autoplayButton.replaceChildren(icon('autoplay'));
    this.autoplayButton.setAttribute('aria-label', t('autoplay'));
  }

  /** Shows how a colour could have won: the line that an ending rests on. */
  showWinLine(moves, color) {
    const from = this.model.history.length;
    this.startLine({ moves, color, from, returnPly: from, label: 'lineStep' });
  }

  /** Shows what would have been better than a move after which the game turned. */
  showBetter({ ply, by, better, better_san: sans }) {
    this.startLine({ moves: better, sans, color: by, from: ply - 1, returnPly: ply, label: 'betterStep' });
  }

  /** Replays a line from a position of the game; `returnPly` is shown after it. */
  startLine(line) {
    const { model, shown } = this;
    this.stopAutoplay();
    const positions = [model.piecesAfter(line.from)];
    for (const move of line.moves) positions.push(applyMove(positions.at(-1), move, model.variant).pieces);
    shown.study = null;
    shown.line = { ...line, positions, shownMoves: 0 };
    this.showLineStep(1);
  }

  showLineStep(count) {
    const { line } = this.shown;
    line.shownMoves = Math.max(0, Math.min(line.moves.length, count));
    const move = line.shownMoves ? (line.sans ?? line.moves)[line.shownMoves - 1] : '…';
    this.announcer.showNews(t(line.label, { color: t(`Colors.${line.color}`), move, n: line.shownMoves, all: line.moves.length }),
      [linkButton(t('back'), () => this.showPly(line.returnPly))]);
    this.render();
  }

  /** Loads the variations that this browser has stored for the game, once. */
  async loadStudies() {
    if (this.hasLoadedStudies) return;
    this.hasLoadedStudies = true;
    const { loadStudies } = await import('./study.js');
    this.studies = [...loadStudies(this.model), ...this.studies];
  }

  async saveStudies() {
    const { saveStudies } = await import('./study.js');
    saveStudies(this.model.game, this.studies);
  }

  /** Shows a variation from its end. */
  openStudy(study) {
    const { shown } = this;
    this.stopAutoplay();
    shown.line = null;
    shown.study = study;
    shown.ply = study.ply;
    study.shownMoves = study.moves.length;
    this.announceStudy();
    this.render();
  }

  announceStudy() {
    const { study } = this.shown;
    this.announcer.showNews(t('study', { moves: study.text() }), [
      linkButton(t('back'), () => this.showPly(study.ply)),
      linkButton(t('forget'), () => this.removeStudy(study)),
    ]);
  }

  async removeStudy(study) {
    this.studies = this.studies.filter((one) => one !== study);
    await this.saveStudies();
    this.showPly(study.ply);
  }

  /** Tries a move in the variation that is shown, or in a new one from the position that is shown. */
  async tryMove(text) {
    const { Study } = await import('./study.js');
    const { shown } = this;
    if (!shown.study) {
      shown.study = new Study(this.model, shown.ply);
      this.studies.push(shown.study);
      shown.line = null;
    }
    const { study } = shown;
    const { position } = study;
    try {
      const report = await study.tryMove(text);
      if (report.legal) {
        this.announceStudy();
        this.saveStudies();
      } else {
        this.announcer.showRefusal({
          text: report.text, squares: report.evidence, didYouMean: report.suggestions, input: text, position,
          onSuggestion: (move) => this.tryMove(move),
        });
      }
    } catch (error) {
      this.announcer.showRefusal({ text: error.status === 404 ? t('notHere') : error.message });
    }
    if (!study.moves.length) {
      this.studies = this.studies.filter((one) => one !== study);
      if (shown.study === study) shown.study = null;
    }
    this.render();
  }
}
