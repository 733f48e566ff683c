// Positions as pictures: what stands where, and how a move changes that. Whether a move is legal is never asked
// here; the server knows.

const FILES = 'abcdefgh';

/** The names of the squares from a1 to h8. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (1 + (index >> 3)));

/** The number of a square, 0 for a1 and 63 for h8. */
export const at = (square) => FILES.indexOf(square[0]) + 8 * (Number(square[1]) - 1);

/** The colour of a man by its letter. */
export const colorOf = (man) => (man === '' ? null : man < 'a' ? 'white' : 'black');

/** The other side. */
export const other = (color) => (color === 'white' ? 'black' : 'white');

/** A FEN as `{men, turn, castling, enPassant, number}`; `men` has a letter or '' for each square. */
export function read(fen) {
  const [placement = '', turn = 'w', castling = '-', enPassant = '-', , number = '1'] = fen.trim().split(/\s+/);
  const men = Array(64).fill('');
  placement.split('/').slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row.replace(/~/g, '')) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else if (file < 8) { men[(7 - index) * 8 + file] = letter; file += 1; }
    }
  });
  return { men, turn: turn === 'b' ? 'black' : 'white', castling, enPassant, number: Number(number) };
}

/** The first field of a FEN. */
export function placement(men) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < 8; file += 1) {
      const man = men[rank * 8 + file];
      if (man === '') { empty += 1; continue; }
      if (empty) row += empty;
      empty = 0;
      row += man;
    }
    rows.push(row + (empty || ''));
  }
  return rows.join('/');
}

/** The squares around a square. */
export function around(index) {
  const found = [];
  for (let rank = -1; rank <= 1; rank += 1) {
    for (let file = -1; file <= 1; file += 1) {
      const [f, r] = [(index % 8) + file, (index >> 3) + rank];
      if ((file || rank) && f >= 0 && f < 8 && r >= 0 && r < 8) found.push(r * 8 + f);
    }
  }
  return found;
}

/** Whether captures explode. */
export const explodes = (variant) => variant === 'atomic' || variant === 'simple-atomic';

/**
 * What a move does to the picture: `{men, steps, captured, castles, promotes, blast}`. `steps` are the men that
 * move, `captured` is the square of a captive or -1, `blast` the squares that a blast empties.
 */
export function play(men, uci, variant) {
  const [from, to] = [at(uci.slice(0, 2)), at(uci.slice(2, 4))];
  const man = men[from];
  const after = men.slice();
  const result = { men: after, from, to, man, steps: [[from, to]], captured: -1, castles: null, promotes: '', blast: [] };
  const isKing = man === 'K' || man === 'k';
  const isPawn = man === 'P' || man === 'p';
  const ontoRook = isKing && men[to] !== '' && colorOf(men[to]) === colorOf(man) && men[to].toLowerCase() === 'r';
  if (ontoRook || (isKing && variant !== 'chess960' && Math.abs((from % 8) - (to % 8)) === 2 && (from >> 3) === (to >> 3))) {
    const rank = (from >> 3) * 8;
    const isShort = to > from;
    const rook = ontoRook ? to : rank + (isShort ? 7 : 0);
    const [kingTo, rookTo] = isShort ? [rank + 6, rank + 5] : [rank + 2, rank + 3];
    const rookMan = men[rook];
    after[from] = '';
    after[rook] = '';
    after[kingTo] = man;
    after[rookTo] = rookMan;
    result.to = kingTo;
    result.steps = [[from, kingTo], [rook, rookTo]];
    result.castles = isShort ? 'short' : 'long';
    return result;
  }
  if (men[to] !== '') result.captured = to;
  else if (isPawn && (from % 8) !== (to % 8)) result.captured = (from >> 3) * 8 + (to % 8);
  if (result.captured >= 0) after[result.captured] = '';
  after[from] = '';
  after[to] = man;
  if (uci.length > 4) {
    result.promotes = uci[4].toLowerCase();
    after[to] = man === 'P' ? result.promotes.toUpperCase() : result.promotes;
  }
  if (result.captured >= 0 && explodes(variant)) {
    const dies = (index) => after[index] !== '' && after[index].toLowerCase() !== 'p';
    result.blast = [to, ...around(to).filter(dies)];
    if (result.captured !== to) result.blast.push(result.captured);
    for (const index of result.blast) after[index] = '';
  }
  return result;
}

/** The number of the move that a ply belongs to, and whether it is Black's. */
export function numbering(startFen, ply) {
  const { turn, number } = read(startFen);
  const half = ply + (turn === 'black' ? 1 : 0);
  return { number: number + (half >> 1), isBlack: half % 2 === 1 };
}

const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

/** How many there are of each man. */
function census(men) {
  const count = {};
  for (const man of men) if (man !== '') count[man] = (count[man] ?? 0) + 1;
  return count;
}

/** What each side has lost since the game began with these men, and by how much White is ahead. */
export function balance(men, start) {
  const [count, first] = [census(men), census(start)];
  let lead = 0;
  for (const [man, number] of Object.entries(count)) lead += number * WORTH[man.toLowerCase()] * (man < 'a' ? 1 : -1);
  const lost = (letter) => Math.max(0, (first[letter] ?? 0) - (count[letter] ?? 0));
  const losses = (isWhite) => ['q', 'r', 'b', 'n', 'p']
    .flatMap((letter) => Array(lost(isWhite ? letter.toUpperCase() : letter)).fill(isWhite ? letter.toUpperCase() : letter));
  return { lead, white: losses(true), black: losses(false) };
}

/** Where a man might go if the board changed before its turn comes: its way of moving, whoever stands there. */
export function reach(men, from, variant, castling) {
  const man = men[from];
  const kind = man.toLowerCase();
  const [file, rank] = [from % 8, from >> 3];
  const found = [];
  for (let to = 0; to < 64; to += 1) {
    if (to === from) continue;
    const [df, dr] = [(to % 8) - file, (to >> 3) - rank];
    const [af, ar] = [Math.abs(df), Math.abs(dr)];
    const straight = df === 0 || dr === 0;
    const diagonal = af === ar;
    let fits = false;
    if (kind === 'n') fits = af * ar === 2;
    else if (kind === 'b') fits = diagonal;
    else if (kind === 'r') fits = straight;
    else if (kind === 'q') fits = straight || diagonal;
    else if (kind === 'k') {
      const isCastling = dr === 0 && castling !== '-' && rank === (man === 'K' ? 0 : 7)
        && (variant === 'chess960' ? men[to].toLowerCase() === 'r' && colorOf(men[to]) === colorOf(man) : af === 2);
      fits = (af <= 1 && ar <= 1) || isCastling;
    } else if (kind === 'p') {
      const ahead = man === 'P' ? dr : -dr;
      const isHome = rank === (man === 'P' ? 1 : 6);
      fits = (ahead === 1 && af <= 1) || (ahead === 2 && af === 0 && (isHome || variant === 'simple-atomic'));
    }
    if (fits) found.push(to);
  }
  return found;
}
