// After the game: why it ended, playing again, and what the ending rests on; and keeping a game, at any time.

import { copy, doneButton, download, el, showDialog } from './dom.js';
import { other } from './fen.js';
import { t } from './i18n.js';
import { pgnWith } from './study.js';

const pgnOf = async (model) => (await fetch(`/v1/tables/${model.game}/pgn`)).text();

/** Buttons to copy and save the game and the position that is shown when they are pressed. */
function keepsakes(model, acts) {
  const leads = (label, address, extra = {}) => el('a', { class: 'button quiet', href: address(), onclick: (event) => { event.currentTarget.href = address(); }, ...extra }, label);
  const picture = (kind) => () => {
    const { fen, side, last } = acts.shown();
    return `/diagram.${kind}?${new URLSearchParams({ fen, side, ...(last ? { last } : {}) })}`;
  };
  const desk = () => `/arbiter?${new URLSearchParams({ variant: model.variant, fen: acts.shown().fen })}`;
  return el('div', { class: 'row keeps' },
    doneButton(t('copyPgn'), t('copied'), async () => copy(await pgnOf(model))),
    doneButton(t('savePgn'), t('savePgn'), async () => download(`${model.game}.pgn`, await pgnOf(model), 'application/x-chess-pgn')),
    doneButton(t('copyFen'), t('copied'), () => copy(acts.shown().fen)),
    leads(t('saveSvg'), picture('svg'), { download: `${model.game}.svg` }), leads(t('savePng'), picture('png'), { download: `${model.game}.png` }),
    // Who still plays does not ask others about the position.
    model.isOver ? leads(t('askArbiter'), desk) : null);
}

/** The same in a dialog, while the game goes on. */
export function openKeepsakes(model, acts) {
  showDialog(el('dialog', { class: 'settings', 'aria-label': t('keepTitle') },
    el('form', { method: 'dialog' }, el('h2', {}, t('keepTitle')), keepsakes(model, acts), el('button', { class: 'main' }, t('close')))));
}

/** Fills the panel of a finished game. `acts`: `send`, `line(moves, color)`, `studies()`, `openStudy(study)`, `shown()`; `review` is a node. */
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
  // Nobody to play again with where nobody came.
  if (you && !model.isAlone) {
    const theirs = rematch?.offer === other(you);
    const again = el('button', { type: 'button', class: 'main', 'aria-label': t(theirs ? 'acceptRematch' : 'rematch'), onclick: () => acts.send({ command: 'rematch' }) }, t(theirs ? 'acceptRematch' : 'rematch'));
    again.disabled = rematch?.offer === you;
    row.append(again);
    if (theirs) row.append(el('button', { type: 'button', onclick: () => acts.send({ command: 'decline_rematch' }) }, t('declineRematch')));
  }
  if (rematch?.game) row.append(el('a', { class: 'button main', href: `/${rematch.game}` }, t('resume')));
  row.append(el('a', { class: 'button', href: '/' }, t('newGame')));
  const keeps = keepsakes(model, acts);
  const studies = acts.studies().filter((study) => study.moves.length);
  if (studies.length) {
    keeps.append(doneButton(t('savePgnStudy'), t('savePgnStudy'), async () => download(`${model.game}.pgn`, pgnWith(await pgnOf(model), model, studies), 'application/x-chess-pgn')));
  }
  const tried = studies.length ? el('section', { 'aria-label': t('studies') }, el('h3', { class: 'small' }, t('studies')),
    studies.map((study) => el('button', { type: 'button', class: 'link study', onclick: () => acts.openStudy(study) }, study.text()))) : null;
  made.push(row, ...(acts.review ? [acts.review] : []), ...(tried ? [tried] : []), el('details', { class: 'fold' }, el('summary', {}, t('keep')), keeps));
  node.replaceChildren(...made);
}
