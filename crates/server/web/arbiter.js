// The arbiter's page: set up or paste a position or a game, and ask about it. The arbiter answers; the page only shows.

import { $, copy, el, firstPaint, show } from './dom.js';
import { post } from './http.js';
import { errorText, t, translate } from './i18n.js';
import { SQUARES, START_FEN, VARIANTS, applyMove, colorOf, fromSquare, isPromotion, opposite, readFen, squareIndex, toSquare, writePlacement } from './fen.js';
import { Board, squareName } from './board.js';
import { BoardInput } from './board_input.js';
import { Announcer } from './announcer.js';
import { BoardEditor, MOVE_TOOL } from './board_editor.js';
import { stepButtons } from './move_list.js';
import { openSettings } from './settings.js';

const EMPTY_FEN = '8/8/8/8/8/8/8/8 w - - 0 1';
/** More steps than any line has moves. */
const ALL_STEPS = 999;
const COPIED_LABEL_MS = 1500;
/** Where king and rook must be for each castling right, outside of Chess960. */
const CASTLING_HOMES = { K: ['e1', 'h1', 'K', 'R'], Q: ['e1', 'a1', 'K', 'R'], k: ['e8', 'h8', 'k', 'r'], q: ['e8', 'a8', 'k', 'r'] };

translate();

/** The page with its board, the controls beside it and the arbiter's answers. */
class ArbiterPage {
  constructor() {
    this.board = new Board($('board'));
    this.input = new BoardInput(this.board, this);
    this.announcer = new Announcer($('announcer'), this.board);
    this.fen = START_FEN;
    this.editor = new BoardEditor(this.board, {
      setPiece: (square, piece) => this.setPiece(square, piece),
      setFields: (fields) => this.setFields(fields),
    });
    this.line = null;
    for (const radio of document.querySelectorAll('input[name="turn"]')) radio.addEventListener('change', () => this.setFields({ turn: radio.value[0] }));
    $('position').addEventListener('submit', (event) => { event.preventDefault(); this.judge(); });
    $('variant').addEventListener('change', () => this.judge());
    $('move-question').addEventListener('submit', (event) => { event.preventDefault(); this.explain($('move').value.trim()); });
    $('empty-board').addEventListener('click', () => this.setFen(EMPTY_FEN));
    $('start-position').addEventListener('click', () => this.setFen(START_FEN));
    $('winnable').addEventListener('click', () => this.askWinnable());
    for (const color of ['white', 'black']) $(`flag-${color}`).addEventListener('click', () => this.askFlag(color));
    $('flip').addEventListener('click', () => this.board.setOrientation(opposite(this.board.orientation)));
    $('settings').addEventListener('click', openSettings);
    $('copy-link').addEventListener('click', async () => {
      await copy(location.href);
      $('copy-link').textContent = t('copied');
      setTimeout(() => { $('copy-link').textContent = t('arbiterPage.link'); }, COPIED_LABEL_MS);
    });
    $('steps').append(...stepButtons({
      first: () => this.step(-ALL_STEPS), previous: () => this.step(-1), next: () => this.step(1), last: () => this.step(ALL_STEPS),
    }));
    this.loadAddress();
  }

  /** Shows the position of the page's address, and asks what the address asks. */
  async loadAddress() {
    const query = new URLSearchParams(location.search);
    const text = query.get('q') ?? query.get('pgn') ?? query.get('fen') ?? '';
    const move = query.get('move');
    $('variant').value = VARIANTS.includes(query.get('variant')) ? query.get('variant') : 'chess';
    $('position-text').value = text || START_FEN;
    this.showFen(START_FEN);
    await this.judge(Boolean(text));
    if (move) { $('move').value = move; this.explain(move); }
  }

  /** What the text field holds, as the arbiter reads it. */
  get enteredPosition() {
    const text = $('position-text').value.trim();
    if (/^\s*\[|\b1\.|\*$/.test(text)) return { pgn: text };
    return { variant: $('variant').value, fen: text || START_FEN };
  }

  /** The position on the board, as the arbiter reads it. */
  get shownPosition() { return { fen: this.fen, variant: this.variant ?? $('variant').value }; }

  showFen(fen) {
    this.fen = fen;
    this.line = null;
    show($('steps'), false);
    const { pieces, turn } = readFen(fen);
    this.board.draw(pieces);
    this.board.mark({});
    const radio = document.querySelector(`input[name="turn"][value="${turn}"]`);
    if (radio) radio.checked = true;
    this.editor.show(fen, $('variant').value);
  }

  /** Puts a position into the text field and on the board, and asks about it. */
  setFen(fen) {
    $('position-text').value = fen;
    this.showFen(fen);
    this.judge();
  }

  /** Changes fields of the FEN. The others stay, except the square of a capture en passant. */
  setFields({ placement = null, turn = null, castling = null, enPassant = '-' }) {
    const fields = this.fen.split(' ');
    this.setFen([placement ?? fields[0], turn ?? fields[1] ?? 'w', castling ?? fields[2] ?? '-', enPassant, '0', '1'].join(' '));
  }

  setPiece(square, piece) {
    const { pieces } = readFen(this.fen);
    pieces[square] = piece;
    this.setPieces(pieces);
  }

  setPieces(pieces) {
    const fields = this.fen.split(' ');
    // A king or rook that has left its home square has no right to castle.
    const isHome = ([king, rook, k, r]) => pieces[squareIndex(king)] === k && pieces[squareIndex(rook)] === r;
    const rights = $('variant').value === 'chess960' ? fields[2]
      : [...(fields[2] ?? '-')].filter((letter) => CASTLING_HOMES[letter] && isHome(CASTLING_HOMES[letter])).join('') || '-';
    this.setFields({ placement: writePlacement(pieces), castling: rights });
  }

  /** Sends a question. Returns the report, or null after a refusal, which is announced. */
  async ask(question, body) {
    try {
      return await post(`/arbiter/${question}`, body);
    } catch (error) {
      this.announcer.showRefusal({ text: error.status === 404 || error.status === 405 ? t('notHere') : errorText(error) });
      return null;
    }
  }

  /** Makes the address one that leads to this position, and to the question about a move. */
  updateAddress(move = '') {
    const position = this.enteredPosition;
    const query = new URLSearchParams({ ...position, ...(move ? { move } : {}) });
    history.replaceState(null, '', `/arbiter?${query}`);
  }

  /** Asks what the arbiter thinks of the entered position, and shows it. */
  async judge(changesAddress = true) {
    const position = this.enteredPosition;
    if (changesAddress) this.updateAddress();
    $('answer').replaceChildren();
    const report = await this.ask('judge', { position });
    if (!report) return;
    this.showFen(report.fen);
    this.variant = report.variant;
    const more = [];
    if (report.faults.length > 1) more.push(el('ul', { class: 'faults' }, report.faults.map((fault) => el('li', {}, fault))));
    for (const text of report.warnings ?? []) more.push(el('span', {}, t('warning', { text })));
    if (report.valid && report.status === 'ongoing') {
      more.push(el('span', {}, report.claims.length ? t('claims', { claims: report.claims.map((claim) => t(`claimNames.${claim}`)).join(', ') }) : t('noClaims')));
    }
    if (report.error) this.announcer.set('refusal', report.explanation || report.error, more, report.checkers ?? []);
    else this.announcer.showNews(report.explanation, more);
    this.announcer.showDangers(report.danger);
    if (report.check) {
      const { pieces, turn } = readFen(report.fen);
      this.board.mark({ check: [pieces.indexOf(turn === 'white' ? 'K' : 'k')] });
    }
  }

  /** Asks why a move is legal or illegal. */
  async explain(move) {
    if (!move) return;
    const position = this.shownPosition;
    const report = await this.ask('explain', { position, move });
    if (!report) return;
    this.updateAddress(move);
    if (!report.legal) {
      this.announcer.showRefusal({
        text: report.text, squares: report.evidence, didYouMean: report.suggestions, input: move, position,
        onSuggestion: (other) => { $('move').value = other; this.explain(other); },
      });
      // The law is shown at once.
      this.announcer.more.querySelector('button')?.click();
      return;
    }
    this.announcer.showNews(report.text, [el('button', { type: 'button', class: 'link', onclick: () => this.continueAfter(report.uci) }, t('arbiterPage.continue'))]);
    this.board.mark({ last: [fromSquare(report.uci), toSquare(report.uci)], exploding: report.evidence.map(squareIndex) });
  }

  /** Sets up the position after a move. */
  async continueAfter(move) {
    const report = await this.ask('judge', { position: { fen: this.fen, variant: this.variant, moves: move } });
    if (report) this.setFen(report.fen);
  }

  /** Asks who can still win. */
  async askWinnable() {
    $('answer').textContent = t('arbiterPage.thinking');
    const report = await this.ask('winnable', { position: this.shownPosition });
    $('answer').replaceChildren();
    if (!report) return;
    const content = [el('p', {}, t(report.dead === true ? 'deadYes' : report.dead === false ? 'deadNo' : 'deadUnknown'))];
    for (const color of ['white', 'black']) {
      const values = { color: t(`Colors.${color}`), proof: report[`proof_${color}`] };
      const line = report[`line_${color}`];
      const key = { winnable: 'canWin', unwinnable: 'cannotWin' }[report[color]] ?? 'unknownWin';
      content.push(el('p', {}, t(key, values), line ? el('button', { type: 'button', class: 'link', onclick: () => this.showLine(line.split(' ')) }, t('winLine')) : null));
    }
    $('answer').append(...content);
  }

  /** Asks what it would mean if a flag fell now. */
  async askFlag(color) {
    $('answer').textContent = t('arbiterPage.thinking');
    const report = await this.ask('judge', { position: this.shownPosition, flagged: color });
    $('answer').replaceChildren();
    if (report) $('answer').append(el('p', {}, `${t('flagMeans', { color: t(`Colors.${color}`) })}: ${report.explanation}`));
  }

  showLine(moves) {
    const positions = [readFen(this.fen).pieces];
    for (const move of moves) positions.push(applyMove(positions.at(-1), move, this.variant).pieces);
    this.line = { moves, positions, shownMoves: 0 };
    show($('steps'));
    this.step(1);
  }

  step(count) {
    const { line } = this;
    if (!line) return;
    line.shownMoves = Math.max(0, Math.min(line.moves.length, line.shownMoves + count));
    this.board.draw(line.positions[line.shownMoves]);
    const move = line.moves[line.shownMoves - 1];
    this.board.mark(move ? { last: [fromSquare(move), toSquare(move)] } : {});
    this.announcer.showNews(`${move ?? '…'} · ${line.shownMoves} / ${line.moves.length}`);
  }

  // The handlers of the board's input.

  /** With a tool of the palette a press puts a piece on the square, or removes the same piece. */
  onPress(square) {
    const { tool } = this.editor;
    if (this.line || tool === MOVE_TOOL) return false;
    this.setPiece(square, tool === this.board.pieces[square] ? '' : tool);
    return true;
  }

  canPickUp(square) { return !this.line && this.editor.tool === MOVE_TOOL && this.board.pieces[square] !== ''; }

  isReselection() { return false; }

  onSelect(square) {
    this.board.mark(square < 0 ? {} : { selected: [square] });
    if (square >= 0) $('move').placeholder = squareName(SQUARES[square], this.board.pieces[square]);
  }

  onHover() {}

  /** A piece that is dragged off the board is removed. */
  onDropOutside(square) { this.setPiece(square, ''); }

  /** A move of the side to move is a question about it; any other only moves the piece. */
  onMove(from, to) {
    const piece = this.board.pieces[from];
    if (colorOf(piece) === readFen(this.fen).turn) {
      const move = SQUARES[from] + SQUARES[to] + (isPromotion(piece, to, this.variant) ? 'q' : '');
      $('move').value = move;
      this.explain(move);
      return;
    }
    const { pieces } = readFen(this.fen);
    pieces[to] = piece;
    pieces[from] = '';
    this.setPieces(pieces);
  }
}

await firstPaint();
new ArbiterPage();
document.documentElement.dataset.ready = 'yes';
