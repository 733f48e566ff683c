// Reading FEN, and what a move does to the pieces on the board. Whether a move is legal is never decided here: the
// server knows.

const FILES = 'abcdefgh';

/** The names of the squares from a1 to h8. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (1 + (index >> 3)));

/** The position from which chess begins. */
export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** The variants that the server plays, in the order in which they are offered. */
export const VARIANTS = ['chess', 'chess960', 'atomic', 'simple-atomic'];

/** The number of a square, 0 for a1 and 63 for h8. */
export const squareIndex = (square) => FILES.indexOf(square[0]) + 8 * (Number(square[1]) - 1);

/** The square a UCI move starts from, as a number. */
export const fromSquare = (uci) => squareIndex(uci.slice(0, 2));

/** The square a UCI move goes to, as a number. */
export const toSquare = (uci) => squareIndex(uci.slice(2, 4));

/** The colour of a piece by its letter, null for an empty square. */
export const colorOf = (piece) => (piece === '' ? null : piece < 'a' ? 'white' : 'black');

/** The other colour. */
export const opposite = (color) => (color === 'white' ? 'black' : 'white');

/** A FEN as `{pieces, turn, castling, enPassant, number}`; `pieces` has a letter or '' for each square. */
export function readFen(fen) {
  const [placement = '', turn = 'w', castling = '-', enPassant = '-', , number = '1'] = fen.trim().split(/\s+/);
  const pieces = Array(64).fill('');
  placement.split('/').slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row.replace(/~/g, '')) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else if (file < 8) { pieces[(7 - index) * 8 + file] = letter; file += 1; }
    }
  });
  return { pieces, turn: turn === 'b' ? 'black' : 'white', castling, enPassant, number: Number(number) };
}

/** The first field of a FEN. */
export function writePlacement(pieces) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < 8; file += 1) {
      const piece = pieces[rank * 8 + file];
      if (piece === '') { empty += 1; continue; }
      if (empty) row += empty;
      empty = 0;
      row += piece;
    }
    rows.push(row + (empty || ''));
  }
  return rows.join('/');
}

/** The squares next to a square. */
function neighbours(index) {
  const squares = [];
  for (let rank = -1; rank <= 1; rank += 1) {
    for (let file = -1; file <= 1; file += 1) {
      const [f, r] = [(index % 8) + file, (index >> 3) + rank];
      if ((file || rank) && f >= 0 && f < 8 && r >= 0 && r < 8) squares.push(r * 8 + f);
    }
  }
  return squares;
}

/** Whether captures explode in a variant. */
export const capturesExplode = (variant) => variant === 'atomic' || variant === 'simple-atomic';

/** Whether a pawn move to this square promotes in a variant. */
export const isPromotion = (piece, to, variant) => piece.toLowerCase() === 'p' && (to >> 3) % 7 === 0 && variant !== 'simple-atomic';

/**
 * What a move does to the pieces: `{pieces, from, to, piece, steps, captureSquare, castlingSide, promotion, exploded}`.
 * `to` is where the moved piece ends up, also when castling was written as king onto rook. `steps` are the ways of the
 * pieces that move. `captureSquare` is -1 without a capture. `exploded` are the squares that an explosion empties.
 */
export function applyMove(pieces, uci, variant) {
  const [from, to] = [fromSquare(uci), toSquare(uci)];
  const piece = pieces[from];
  const after = pieces.slice();
  const result = { pieces: after, from, to, piece, steps: [[from, to]], captureSquare: -1, castlingSide: null, promotion: '', exploded: [] };
  const isKing = piece === 'K' || piece === 'k';
  const isPawn = piece === 'P' || piece === 'p';
  const isOntoRook = isKing && pieces[to] !== '' && colorOf(pieces[to]) === colorOf(piece) && pieces[to].toLowerCase() === 'r';
  if (isOntoRook || (isKing && variant !== 'chess960' && Math.abs((from % 8) - (to % 8)) === 2 && (from >> 3) === (to >> 3))) {
    const rank = (from >> 3) * 8;
    const isKingside = to > from;
    const rookFrom = isOntoRook ? to : rank + (isKingside ? 7 : 0);
    const [kingTo, rookTo] = isKingside ? [rank + 6, rank + 5] : [rank + 2, rank + 3];
    const rook = pieces[rookFrom];
    after[from] = '';
    after[rookFrom] = '';
    after[kingTo] = piece;
    after[rookTo] = rook;
    result.to = kingTo;
    result.steps = [[from, kingTo], [rookFrom, rookTo]];
    result.castlingSide = isKingside ? 'kingside' : 'queenside';
    return result;
  }
  if (pieces[to] !== '') result.captureSquare = to;
  else if (isPawn && (from % 8) !== (to % 8)) result.captureSquare = (from >> 3) * 8 + (to % 8);
  if (result.captureSquare >= 0) after[result.captureSquare] = '';
  after[from] = '';
  after[to] = piece;
  if (uci.length > 4) {
    result.promotion = uci[4].toLowerCase();
    after[to] = piece === 'P' ? result.promotion.toUpperCase() : result.promotion;
  }
  if (result.captureSquare >= 0 && capturesExplode(variant)) {
    const explodes = (index) => after[index] !== '' && after[index].toLowerCase() !== 'p';
    result.exploded = [to, ...neighbours(to).filter(explodes)];
    if (result.captureSquare !== to) result.exploded.push(result.captureSquare);
    for (const index of result.exploded) after[index] = '';
  }
  return result;
}

/** The number of the move that a ply belongs to, and whether it is Black's. */
export function moveNumber(startFen, ply) {
  const { turn, number } = readFen(startFen);
  const half = ply + (turn === 'black' ? 1 : 0);
  return { number: number + (half >> 1), isBlack: half % 2 === 1 };
}

const PIECE_VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

/** How many there are of each piece. */
function countPieces(pieces) {
  const counts = {};
  for (const piece of pieces) if (piece !== '') counts[piece] = (counts[piece] ?? 0) + 1;
  return counts;
}

/** The pieces that each side has lost since the start, and by how many pawns White is ahead. */
export function materialBalance(pieces, startPieces) {
  const [counts, startCounts] = [countPieces(pieces), countPieces(startPieces)];
  let lead = 0;
  for (const [piece, count] of Object.entries(counts)) lead += count * PIECE_VALUES[piece.toLowerCase()] * (piece < 'a' ? 1 : -1);
  const lossCount = (piece) => Math.max(0, (startCounts[piece] ?? 0) - (counts[piece] ?? 0));
  const losses = (isWhite) => ['q', 'r', 'b', 'n', 'p']
    .map((letter) => (isWhite ? letter.toUpperCase() : letter))
    .flatMap((piece) => Array(lossCount(piece)).fill(piece));
  return { lead, white: losses(true), black: losses(false) };
}

/**
 * The squares for which a premove of a piece can be entered: all that its way of moving reaches, whatever stands
 * there, because the board may change before the move is played.
 */
export function premoveTargets(pieces, from, variant, castling) {
  const piece = pieces[from];
  const role = piece.toLowerCase();
  const [file, rank] = [from % 8, from >> 3];
  const targets = [];
  for (let to = 0; to < 64; to += 1) {
    if (to === from) continue;
    const [df, dr] = [(to % 8) - file, (to >> 3) - rank];
    const [af, ar] = [Math.abs(df), Math.abs(dr)];
    const isStraight = df === 0 || dr === 0;
    const isDiagonal = af === ar;
    let isReached = false;
    if (role === 'n') isReached = af * ar === 2;
    else if (role === 'b') isReached = isDiagonal;
    else if (role === 'r') isReached = isStraight;
    else if (role === 'q') isReached = isStraight || isDiagonal;
    else if (role === 'k') {
      const isCastling = dr === 0 && castling !== '-' && rank === (piece === 'K' ? 0 : 7)
        && (variant === 'chess960' ? pieces[to].toLowerCase() === 'r' && colorOf(pieces[to]) === colorOf(piece) : af === 2);
      isReached = (af <= 1 && ar <= 1) || isCastling;
    } else if (role === 'p') {
      const ahead = piece === 'P' ? dr : -dr;
      const isHome = rank === (piece === 'P' ? 1 : 6);
      isReached = (ahead === 1 && af <= 1) || (ahead === 2 && af === 0 && (isHome || variant === 'simple-atomic'));
    }
    if (isReached) targets.push(to);
  }
  return targets;
}
