// Looking back at a table: step by step, by itself, along the line that an ending rests on, or along moves of one's own.

import { el } from './dom.js';
import { t } from './i18n.js';
import { play } from './fen.js';
import { sign } from './move_list.js';
import { sayMove } from './move_text.js';
import { Hearing } from './table_messages.js';

/** A table at which one can look back. */
export class Replay extends Hearing {
  look(ply) {
    const { model } = this;
    this.stop();
    this.line = null;
    this.study = null;
    this.ply = Math.max(0, Math.min(model.history.length, ply));
    this.from = -1;
    this.hand.from = -1;
    if (this.isTip) this.greet(model.history.length ? [{ event: 'moved', by: 'arbiter', ...model.history.at(-1) }].filter(() => !model.isOver) : []);
    else if (this.ply === 0) this.voice.news(t('atStart'));
    else {
      const { move, san } = model.history[this.ply - 1];
      this.voice.news(`${sayMove(model.fenAfter(this.ply - 1), move, san, model.variant)}.`);
    }
    this.render();
  }

  step(by) {
    if (this.line) this.stepLine(this.line.at + by);
    else if (this.study) {
      const to = this.study.at + by;
      if (to <= 0) this.look(to < -1 ? 0 : this.study.ply);
      else {
        this.study.at = Math.min(to, this.study.moves.length);
        this.render();
      }
    } else this.look(Math.min(this.ply, this.model.history.length) + by);
  }

  play() {
    if (this.player) { this.stop(); return; }
    if (this.isTip && !this.line) this.look(0);
    this.autoButton.replaceChildren(sign('pause'));
    this.autoButton.setAttribute('aria-label', t('pause'));
    this.player = setInterval(() => {
      const [here, end] = this.line ? [this.line.at, this.line.moves.length] : [this.ply, this.model.history.length];
      const timer = this.player;
      if (here >= end) { this.stop(); return; }
      this.player = null;
      this.step(1);
      this.player = timer;
    }, 900);
  }

  stop() {
    if (!this.player) return;
    clearInterval(this.player);
    this.player = null;
    this.autoButton.replaceChildren(sign('autoplay'));
    this.autoButton.setAttribute('aria-label', t('autoplay'));
  }

  /** Shows the line that an ending rests on. */
  showLine(moves, color) {
    this.follow({ moves, color, from: this.model.history.length, says: 'lineStep' });
  }

  /** Shows what would have been better than a move after which the game was another. */
  showBetter({ ply, by, better, better_san: sans }) {
    this.follow({ moves: better, sans, color: by, from: ply - 1, says: 'betterStep' });
  }

  follow(line) {
    const { model } = this;
    this.stop();
    const positions = [model.menAfter(line.from)];
    for (const move of line.moves) positions.push(play(positions.at(-1), move, model.variant).men);
    this.study = null;
    this.line = { ...line, positions, at: 0 };
    this.stepLine(1);
  }

  stepLine(to) {
    const { line } = this;
    line.at = Math.max(0, Math.min(line.moves.length, to));
    const move = line.at ? (line.sans ?? line.moves)[line.at - 1] : '…';
    this.voice.news(t(line.says, { color: t(`Colors.${line.color}`), move, n: line.at, all: line.moves.length }),
      [el('button', { type: 'button', class: 'link', onclick: () => this.look(line.says === 'betterStep' ? line.from + 1 : line.from) }, t('back'))]);
    this.render();
  }

  /** Brings back the variations that this browser remembers of the game, once. */
  async recall() {
    if (this.isRecalled) return;
    this.isRecalled = true;
    const { kept } = await import('./study.js');
    this.studies = [...kept(this.model), ...this.studies];
  }

  /** Shows a variation from its end. */
  openStudy(study) {
    this.stop();
    this.line = null;
    this.study = study;
    this.ply = study.ply;
    study.at = study.moves.length;
    this.tellStudy();
    this.render();
  }

  tellStudy() {
    const { study } = this;
    this.voice.news(t('study', { moves: study.text() }), [
      el('button', { type: 'button', class: 'link', onclick: () => this.look(study.ply) }, t('back')),
      el('button', { type: 'button', class: 'link', onclick: () => this.forget(study) }, t('forget')),
    ]);
  }

  async forget(study) {
    this.studies = this.studies.filter((one) => one !== study);
    await this.keepStudies();
    this.look(study.ply);
  }

  async keepStudies() {
    const { keep } = await import('./study.js');
    keep(this.model.game, this.studies);
  }

  async tryStudy(text) {
    const { Study } = await import('./study.js');
    if (!this.study) {
      this.study = new Study(this.model, this.ply);
      this.studies.push(this.study);
      this.line = null;
    }
    const { study } = this;
    const { place } = study;
    try {
      const report = await study.tries(text);
      if (report.legal) {
        this.tellStudy();
        this.keepStudies();
      } else {
        this.voice.refuse({ text: report.text, squares: report.evidence, didYouMean: report.suggestions, typed: text, place, plays: (move) => this.tryStudy(move) });
      }
    } catch (error) {
      this.voice.refuse({ text: error.status === 404 ? t('notHere') : error.message });
    }
    if (!study.moves.length) {
      this.studies = this.studies.filter((one) => one !== study);
      if (this.study === study) this.study = null;
    }
    this.render();
  }
}
