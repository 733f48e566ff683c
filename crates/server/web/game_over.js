// After the game: its result, a rematch, and what the ending rests on. And exporting a game, at any time.

import { copy, doneButton, download, el, showDialog } from './dom.js';
import { opposite } from './fen.js';
import { t } from './i18n.js';
import { pgnWithStudies } from './study.js';

const PGN_TYPE = 'application/x-chess-pgn';

const fetchPgn = async (model) => (await fetch(`/v1/tables/${model.game}/pgn`)).text();

/** Buttons that copy and save the game, and the position that is shown when they are pressed. */
function exportMenu(model, shownPosition) {
  const linkTo = (label, address, extra = {}) => el('a', { class: 'button quiet', href: address(), onclick: (event) => { event.currentTarget.href = address(); }, ...extra }, label);
  const diagram = (type) => () => {
    const { fen, side, last } = shownPosition();
    return `/diagram.${type}?${new URLSearchParams({ fen, side, ...(last ? { last } : {}) })}`;
  };
  const arbiterPage = () => `/arbiter?${new URLSearchParams({ variant: model.variant, fen: shownPosition().fen })}`;
  return el('div', { class: 'row export-menu' },
    doneButton(t('copyPgn'), t('copied'), async () => copy(await fetchPgn(model))),
    doneButton(t('savePgn'), t('savePgn'), async () => download(`${model.game}.pgn`, await fetchPgn(model), PGN_TYPE)),
    doneButton(t('copyFen'), t('copied'), () => copy(shownPosition().fen)),
    linkTo(t('saveSvg'), diagram('svg'), { download: `${model.game}.svg` }), linkTo(t('savePng'), diagram('png'), { download: `${model.game}.png` }),
    // Players may not ask for help while they play.
    model.isOver ? linkTo(t('askArbiter'), arbiterPage) : null);
}

/** The export menu in a dialog, while the game goes on. */
export function openExportDialog(model, shownPosition) {
  showDialog(el('dialog', { class: 'settings', 'aria-label': t('exportTitle') },
    el('form', { method: 'dialog' }, el('h2', {}, t('exportTitle')), exportMenu(model, shownPosition), el('button', { class: 'main' }, t('close')))));
}

/**
 * Fills the panel of a finished game. `review` is a node or null. `handlers`: `send(command)`,
 * `showWinLine(moves, color)`, `openStudy(study)`, `shownPosition()`.
 */
export function fillGameOver(node, model, { studies: allStudies, review, handlers }) {
  const { state, you, rematch } = model;
  const key = JSON.stringify([state.seq, rematch?.offer, rematch?.game, allStudies.map((study) => study.text())]);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  const content = [el('h2', {}, `${state.result.replace('1/2-1/2', '½–½').replace('-', '–')}`)];
  const { grounds } = state;
  if (grounds?.proof) content.push(el('p', { class: 'small' }, t('proof', { text: grounds.proof.text.replace(/\.$/, '') })));
  if (grounds?.undecided) content.push(el('p', { class: 'small' }, t('undecided', { positions: grounds.undecided.positions })));
  if (grounds?.line?.length) {
    const color = state.winner ?? opposite(state.flag ?? 'white');
    content.push(el('button', { type: 'button', onclick: () => handlers.showWinLine(grounds.line, color) }, t('showLine', { color: t(`Colors.${color}`) })));
  }
  const row = el('div', { class: 'row' });
  // Where nobody came there is nobody to play again with.
  if (you && !model.hasMissingPlayer) {
    const isOffered = rematch?.offer === opposite(you);
    const label = t(isOffered ? 'acceptRematch' : 'rematch');
    const rematchButton = el('button', { type: 'button', class: 'main', 'aria-label': label, onclick: () => handlers.send({ command: 'rematch' }) }, label);
    rematchButton.disabled = rematch?.offer === you;
    row.append(rematchButton);
    if (isOffered) row.append(el('button', { type: 'button', onclick: () => handlers.send({ command: 'decline_rematch' }) }, t('declineRematch')));
  }
  if (rematch?.game) row.append(el('a', { class: 'button main', href: `/${rematch.game}` }, t('resume')));
  row.append(el('a', { class: 'button', href: '/' }, t('newGame')));
  const menu = exportMenu(model, handlers.shownPosition);
  const studies = allStudies.filter((study) => study.moves.length);
  if (studies.length) {
    menu.append(doneButton(t('savePgnStudy'), t('savePgnStudy'), async () => download(`${model.game}.pgn`, pgnWithStudies(await fetchPgn(model), model, studies), PGN_TYPE)));
  }
  const studyList = studies.length ? el('section', { 'aria-label': t('studies') }, el('h3', { class: 'small' }, t('studies')),
    studies.map((study) => el('button', { type: 'button', class: 'link study', onclick: () => handlers.openStudy(study) }, study.text()))) : null;
  content.push(row, ...(review ? [review] : []), ...(studyList ? [studyList] : []), el('details', { class: 'collapsible' }, el('summary', {}, t('exportSummary')), menu));
  node.replaceChildren(...content);
}
