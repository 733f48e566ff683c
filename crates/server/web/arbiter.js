// The arbiter's desk: set up or paste a position or a game, and ask. The arbiter answers; the page only shows.

import { $, copy, el, firstPaint, show } from './dom.js';
import { post } from './http.js';
import { t, translate } from './i18n.js';
import { SQUARES, at, colorOf, placement, play, read } from './fen.js';
import { Board, squareName } from './board.js';
import { Hand } from './board_input.js';
import { Voice } from './announcer.js';
import { Setup } from './board_editor.js';
import { stepButtons } from './move_list.js';
import { openSettings } from './settings.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';
const VARIANTS = ['chess', 'chess960', 'atomic', 'simple-atomic'];

translate();

class Desk {
  constructor() {
    this.board = new Board($('board'));
    this.hand = new Hand(this.board, this);
    this.voice = new Voice($('voice'), this.board);
    this.fen = START;
    this.setup = new Setup(this);
    this.line = null;
    for (const radio of document.querySelectorAll('input[name="turn"]')) radio.addEventListener('change', () => this.setFields({ turn: radio.value[0] }));
    $('position').addEventListener('submit', (event) => { event.preventDefault(); this.judge(); });
    $('variant').addEventListener('change', () => this.judge());
    $('ask').addEventListener('submit', (event) => { event.preventDefault(); this.explain($('move').value.trim()); });
    $('clear').addEventListener('click', () => this.setUp(EMPTY));
    $('begin').addEventListener('click', () => this.setUp(START));
    $('winnable').addEventListener('click', () => this.winnable());
    for (const color of ['white', 'black']) $(`flag-${color}`).addEventListener('click', () => this.flag(color));
    $('flip').addEventListener('click', () => this.board.turnTo(this.board.orientation === 'white' ? 'black' : 'white'));
    $('settings').addEventListener('click', openSettings);
    $('link').addEventListener('click', async () => {
      await copy(location.href);
      $('link').textContent = t('copied');
      setTimeout(() => { $('link').textContent = t('desk.link'); }, 1500);
    });
    $('steps').append(...stepButtons({ first: () => this.step(-999), previous: () => this.step(-1), next: () => this.step(1), last: () => this.step(999) }));
    const query = new URLSearchParams(location.search);
    const pasted = query.get('q') ?? query.get('pgn') ?? query.get('fen') ?? '';
    $('variant').value = VARIANTS.includes(query.get('variant')) ? query.get('variant') : 'chess';
    $('text').value = pasted || START;
    this.show(START);
    this.judge(Boolean(pasted)).then(() => { if (query.get('move')) { $('move').value = query.get('move'); this.explain(query.get('move')); } });
  }

  /** The position as the arbiter reads it. */
  get place() {
    const text = $('text').value.trim();
    if (/^\s*\[|\b1\.|\*$/.test(text)) return { pgn: text };
    return { variant: $('variant').value, fen: text || START };
  }

  show(fen) {
    this.fen = fen;
    this.line = null;
    show($('steps'), false);
    const { men, turn } = read(fen);
    this.board.draw(men);
    this.board.mark({});
    const radio = document.querySelector(`input[name="turn"][value="${turn}"]`);
    if (radio) radio.checked = true;
    this.setup.show(fen, $('variant').value);
  }

  setUp(fen) {
    $('text').value = fen;
    this.show(fen);
    this.judge();
  }

  /** Changes fields of the FEN: what is not named stays, but for a capture en passant that is over. */
  setFields({ men = null, turn = null, castling = null, enPassant = '-' }) {
    const fields = this.fen.split(' ');
    this.setUp([men ?? fields[0], turn ?? fields[1] ?? 'w', castling ?? fields[2] ?? '-', enPassant, '0', '1'].join(' '));
  }

  setMan(square, man) {
    const { men } = read(this.fen);
    men[square] = man;
    this.setMen(men);
  }

  setMen(men) {
    const fields = this.fen.split(' ');
    // Whoever stands elsewhere now has no right to castle.
    const home = { K: ['e1', 'h1', 'K', 'R'], Q: ['e1', 'a1', 'K', 'R'], k: ['e8', 'h8', 'k', 'r'], q: ['e8', 'a8', 'k', 'r'] };
    const isHome = ([king, rook, k, r]) => men[at(king)] === k && men[at(rook)] === r;
    const rights = $('variant').value === 'chess960' ? fields[2] : [...(fields[2] ?? '-')].filter((letter) => home[letter] && isHome(home[letter])).join('') || '-';
    this.setFields({ men: placement(men), castling: rights });
  }

  async ask(question, body) {
    try {
      return await post(`/arbiter/${question}`, body);
    } catch (error) {
      this.voice.refuse({ text: error.status === 404 || error.status === 405 ? t('notHere') : error.status ? error.message : t('noServer') });
      return null;
    }
  }

  /** Makes the address one that leads here, perhaps to a question about a move. */
  link(move = '') {
    const { place } = this;
    const query = new URLSearchParams({ ...(place.pgn ? { pgn: place.pgn } : place), ...(move ? { move } : {}) });
    history.replaceState(null, '', `/arbiter?${query}`);
  }

  async judge(isLinked = true) {
    const { place } = this;
    if (isLinked) this.link();
    $('found').replaceChildren();
    const report = await this.ask('judge', { position: place });
    if (!report) return;
    this.show(report.fen);
    this.variant = report.variant;
    const more = [];
    if (report.faults.length > 1) more.push(el('ul', { class: 'faults' }, report.faults.map((fault) => el('li', {}, fault))));
    for (const text of report.warnings ?? []) more.push(el('span', {}, t('warning', { text })));
    if (report.valid && report.status === 'ongoing') {
      more.push(el('span', {}, report.claims.length ? t('claims', { claims: report.claims.map((claim) => t(`claimNames.${claim}`)).join(', ') }) : t('noClaims')));
    }
    if (report.error) this.voice.set('refusal', report.explanation || report.error, more, report.checkers ?? []);
    else this.voice.news(report.explanation, more);
    this.voice.warn(report.danger);
    if (report.check) {
      const { men, turn } = read(report.fen);
      this.board.mark({ check: [men.indexOf(turn === 'white' ? 'K' : 'k')] });
    }
  }

  async explain(move) {
    if (!move) return;
    const place = { fen: this.fen, variant: this.variant ?? $('variant').value };
    const report = await this.ask('explain', { position: place, move });
    if (!report) return;
    this.link(move);
    if (!report.legal) {
      this.voice.refuse({ text: report.text, squares: report.evidence, didYouMean: report.suggestions, typed: move, place, plays: (other) => { $('move').value = other; this.explain(other); } });
      this.voice.more.querySelector('button')?.click();
      return;
    }
    this.voice.news(report.text, [el('button', { type: 'button', class: 'link', onclick: () => this.goOn(report.uci) }, t('desk.goOn'))]);
    this.board.mark({ last: [at(report.uci.slice(0, 2)), at(report.uci.slice(2, 4))], doomed: report.evidence.map(at) });
  }

  /** Goes on from the position after a move. */
  async goOn(move) {
    const report = await this.ask('judge', { position: { fen: this.fen, variant: this.variant, moves: move } });
    if (report) this.setUp(report.fen);
  }

  async winnable() {
    $('found').textContent = t('deskThinking');
    const report = await this.ask('winnable', { position: { fen: this.fen, variant: this.variant ?? $('variant').value } });
    $('found').replaceChildren();
    if (!report) return;
    const made = [el('p', {}, t(report.dead === true ? 'deadYes' : report.dead === false ? 'deadNo' : 'deadUnknown'))];
    for (const color of ['white', 'black']) {
      const values = { color: t(`Colors.${color}`), proof: report[`proof_${color}`] };
      const line = report[`line_${color}`];
      const key = { winnable: 'canWin', unwinnable: 'cannotWin' }[report[color]] ?? 'unknownWin';
      made.push(el('p', {}, t(key, values), line ? el('button', { type: 'button', class: 'link', onclick: () => this.showLine(line.split(' '), color) }, t('winLine')) : null));
    }
    $('found').append(...made);
  }

  async flag(color) {
    $('found').textContent = t('deskThinking');
    const report = await this.ask('judge', { position: { fen: this.fen, variant: this.variant ?? $('variant').value }, flagged: color });
    $('found').replaceChildren();
    if (report) $('found').append(el('p', {}, `${t('flagMeans', { color: t(`Colors.${color}`) })}: ${report.explanation}`));
  }

  showLine(moves) {
    const positions = [read(this.fen).men];
    for (const move of moves) positions.push(play(positions.at(-1), move, this.variant).men);
    this.line = { moves, positions, at: 0 };
    show($('steps'));
    this.step(1);
  }

  step(by) {
    const { line } = this;
    if (!line) return;
    line.at = Math.max(0, Math.min(line.moves.length, line.at + by));
    this.board.draw(line.positions[line.at]);
    const move = line.moves[line.at - 1];
    this.board.mark(move ? { last: [at(move.slice(0, 2)), at(move.slice(2, 4))] } : {});
    this.voice.news(`${move ?? '…'} · ${line.at} / ${line.moves.length}`);
  }

  // What the hand does.

  lifts(square) {
    if (this.line) return false;
    const { tool } = this.setup;
    if (tool !== 'hand') {
      this.setMan(square, tool === this.board.men[square] ? '' : tool);
      return false;
    }
    return this.board.men[square] !== '';
  }

  reselects() { return false; }

  selected(square) {
    this.board.mark(square < 0 ? {} : { selected: [square] });
    if (square >= 0) $('move').placeholder = squareName(SQUARES[square], this.board.men[square]);
  }

  aims() {}

  /** A man that is carried off the board is gone. */
  dropped(square) { this.setMan(square, ''); }

  /** A move that was tried on the board is a question about it; off turn, it sets the man up elsewhere. */
  tries(from, to) {
    const man = this.board.men[from];
    const isLast = man.toLowerCase() === 'p' && (to >> 3) % 7 === 0;
    if (colorOf(man) === read(this.fen).turn) {
      const move = SQUARES[from] + SQUARES[to] + (isLast && this.variant !== 'simple-atomic' ? 'q' : '');
      $('move').value = move;
      this.explain(move);
      return;
    }
    const { men } = read(this.fen);
    men[to] = man;
    men[from] = '';
    this.setMen(men);
  }
}

await firstPaint();
new Desk();
document.documentElement.dataset.ready = 'yes';
