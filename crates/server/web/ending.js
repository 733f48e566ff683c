// After the game: why it ended, playing again, keeping it, and what the ending rests on.

import { copy, doneButton, download, el } from './common.js';
import { other } from './fen.js';
import { t } from './words.js';
import { pgnWith } from './study.js';

/** Fills the panel of a finished game. `acts`: `send`, `line(moves, color)`, `studies()`, `shown()`. */
export function fillEnding(node, model, acts) {
  const { state, you, rematch } = model;
  const key = JSON.stringify([state.seq, rematch?.offer, rematch?.game, acts.studies().map((study) => study.text())]);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  const made = [el('h2', {}, `${state.result.replace('1/2-1/2', '½–½').replace('-', '–')}`)];
  const { grounds } = state;
  if (grounds?.proof) made.push(el('p', { class: 'small' }, t('proof', { text: grounds.proof.text.replace(/\.$/, '') })));
  if (grounds?.undecided) made.push(el('p', { class: 'small' }, t('undecided', { positions: grounds.undecided.positions })));
  if (grounds?.line?.length) {
    const color = state.winner ?? other(state.flag ?? 'white');
    made.push(el('button', { type: 'button', onclick: () => acts.line(grounds.line, color) }, t('showLine', { color: t(`Colors.${color}`) })));
  }
  const row = el('div', { class: 'row' });
  if (you) {
    const theirs = rematch?.offer === other(you);
    const again = el('button', { type: 'button', class: 'main', 'aria-label': t(theirs ? 'acceptRematch' : 'rematch'), onclick: () => acts.send({ command: 'rematch' }) }, t(theirs ? 'acceptRematch' : 'rematch'));
    again.disabled = rematch?.offer === you;
    row.append(again);
    if (theirs) row.append(el('button', { type: 'button', onclick: () => acts.send({ command: 'decline_rematch' }) }, t('declineRematch')));
  }
  if (rematch?.game) row.append(el('a', { class: 'button main', href: `/${rematch.game}` }, t('resume')));
  row.append(el('a', { class: 'button', href: '/' }, t('newGame')));
  const pgn = async () => (await fetch(`/v1/tables/${model.game}/pgn`)).text();
  const fen = () => acts.shown().fen;
  const picture = (kind) => {
    const { fen: position, side, last } = acts.shown();
    const query = new URLSearchParams({ fen: position, side, ...(last ? { last } : {}) });
    return el('a', { class: 'button quiet', href: `/diagram.${kind}?${query}`, download: `${model.game}.${kind}` }, t(kind === 'svg' ? 'saveSvg' : 'savePng'));
  };
  const keeps = el('div', { class: 'row keeps' },
    doneButton(t('copyPgn'), t('copied'), async () => copy(await pgn())),
    doneButton(t('savePgn'), t('savePgn'), async () => download(`${model.game}.pgn`, await pgn(), 'application/x-chess-pgn')),
    doneButton(t('copyFen'), t('copied'), () => copy(fen())),
    picture('svg'), picture('png'),
    el('a', { class: 'button quiet', href: `/arbiter?${new URLSearchParams({ variant: model.variant, fen: fen() })}` }, t('askArbiter')));
  const studies = acts.studies().filter((study) => study.moves.length);
  if (studies.length) {
    keeps.append(doneButton(t('savePgnStudy'), t('savePgnStudy'), async () => download(`${model.game}.pgn`, pgnWith(await pgn(), model, studies), 'application/x-chess-pgn')));
  }
  made.push(row, el('details', { class: 'fold' }, el('summary', {}, t('keep')), keeps));
  node.replaceChildren(...made);
}
