// QR codes, encoded here so that no other server learns a link: byte mode, error correction M, versions 1 to 9.

import { svg } from './dom.js';

/** For each version: data codewords, error correction codewords in a block, blocks. */
const VERSIONS = [null, [16, 10, 1], [28, 16, 1], [44, 26, 1], [64, 18, 2], [86, 24, 2], [108, 16, 4], [124, 18, 4], [154, 22, 4], [182, 22, 5]];
/** The rows and columns of the alignment patterns of each version. */
const ALIGNMENT_CENTERS = [null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46]];

// Powers and logarithms in the field of 256 elements.
const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) {
  EXP[i] = x;
  EXP[i + 255] = x;
  LOG[x] = i;
  x <<= 1;
  if (x & 256) x ^= 0x11d;
}
const multiply = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

/** The error correction codewords of a block: the remainder by the generator polynomial of this degree. */
function errorCorrection(data, degree) {
  let generator = [1];
  for (let i = 0; i < degree; i += 1) {
    const next = Array(generator.length + 1).fill(0);
    generator.forEach((value, index) => {
      next[index] ^= value;
      next[index + 1] ^= multiply(value, EXP[i]);
    });
    generator = next;
  }
  const remainder = [...data, ...Array(degree).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const factor = remainder[i];
    if (factor) generator.forEach((value, index) => { remainder[i + index] ^= multiply(value, factor); });
  }
  return remainder.slice(data.length);
}

/** All codewords of a text in the order in which they are drawn. */
function codewords(bytes, version) {
  const [capacity, degree, blocks] = VERSIONS[version];
  const bits = [];
  const put = (value, length) => { for (let i = length - 1; i >= 0; i -= 1) bits.push((value >> i) & 1); };
  put(4, 4);
  put(bytes.length, 8);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  const short = Math.floor(capacity / blocks);
  const long = capacity % blocks;
  const parts = [];
  for (let i = 0, from = 0; i < blocks; i += 1) {
    const length = short + (i >= blocks - long ? 1 : 0);
    parts.push(data.slice(from, from + length));
    from += length;
  }
  const checks = parts.map((part) => errorCorrection(part, degree));
  const result = [];
  for (let i = 0; i <= short; i += 1) for (const part of parts) if (i < part.length) result.push(part[i]);
  for (let i = 0; i < degree; i += 1) for (const check of checks) result.push(check[i]);
  return result;
}

/** A number followed by its BCH error correction bits. */
function withErrorCorrection(value, generator, length) {
  let remainder = value << length;
  for (let i = 31 - Math.clz32(remainder); i >= length; i = 31 - Math.clz32(remainder)) remainder ^= generator << (i - length);
  return (value << length) | remainder;
}

const MASKS = [
  (r, c) => (r + c) % 2 === 0, (r) => r % 2 === 0, (r, c) => c % 3 === 0, (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0, (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0, (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The penalty of a pattern that is hard to read: runs, blocks, false finder patterns, imbalance. */
function penalty(cells) {
  const size = cells.length;
  let sum = 0;
  let dark = 0;
  const lines = [...cells, ...cells.map((_, column) => cells.map((row) => row[column]))];
  for (const line of lines) {
    let run = 1;
    for (let i = 1; i <= size; i += 1) {
      if (i < size && line[i] === line[i - 1]) { run += 1; continue; }
      if (run >= 5) sum += run - 2;
      run = 1;
    }
    const text = line.map(Number).join('');
    for (const pattern of ['10111010000', '00001011101']) for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) sum += 40;
  }
  for (let r = 0; r < size; r += 1) {
    for (let c = 0; c < size; c += 1) {
      dark += cells[r][c] ? 1 : 0;
      if (r && c && cells[r][c] === cells[r - 1][c] && cells[r][c] === cells[r][c - 1] && cells[r][c] === cells[r - 1][c - 1]) sum += 3;
    }
  }
  return sum + 10 * Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5);
}

/** The rows of a QR code, true where it is dark; null if the text is too long. */
function qrCells(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex((entry) => entry && bytes.length <= entry[0] - 2);
  if (version < 0) return null;
  const size = 17 + 4 * version;
  const cells = Array.from({ length: size }, () => Array(size).fill(null));
  const box = (row, column, half, dark) => {
    for (let r = -half; r <= half; r += 1) for (let c = -half; c <= half; c += 1) {
      if (cells[row + r]?.[column + c] !== undefined) cells[row + r][column + c] = dark(Math.max(Math.abs(r), Math.abs(c)));
    }
  };
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) box(row, column, 4, (ring) => ring !== 2 && ring !== 4);
  for (let i = 8; i < size - 8; i += 1) { cells[6][i] = i % 2 === 0; cells[i][6] = i % 2 === 0; }
  for (const row of ALIGNMENT_CENTERS[version]) for (const column of ALIGNMENT_CENTERS[version]) {
    const isFinder = (row === 6 && (column === 6 || column > size - 9)) || (column === 6 && row > size - 9);
    if (!isFinder) box(row, column, 2, (ring) => ring !== 1);
  }
  if (version >= 7) {
    const bits = withErrorCorrection(version, 0x1f25, 12);
    for (let i = 0; i < 18; i += 1) {
      const [a, b] = [Math.floor(i / 3), (i % 3) + size - 11];
      cells[a][b] = cells[b][a] = ((bits >> i) & 1) === 1;
    }
  }
  const format = (mask) => {
    const bits = withErrorCorrection(mask, 0x537, 10) ^ 0x5412;
    for (let i = 0; i < 15; i += 1) {
      const dark = ((bits >> i) & 1) === 1;
      if (i < 6) cells[i][8] = dark; else if (i < 8) cells[i + 1][8] = dark; else cells[size - 15 + i][8] = dark;
      if (i < 8) cells[8][size - 1 - i] = dark; else cells[8][i === 8 ? 7 : 14 - i] = dark;
    }
    cells[size - 8][8] = true;
  };
  format(0);
  const free = cells.map((row) => row.map((cell) => cell === null));
  const words = codewords(bytes, version);
  let bit = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!free[row][column]) continue;
        cells[row][column] = (((words[bit >> 3] ?? 0) >> (7 - (bit % 8))) & 1) === 1;
        bit += 1;
      }
    }
  }
  const plain = cells.map((row) => row.slice());
  let best = null;
  for (let mask = 0; mask < 8; mask += 1) {
    for (let r = 0; r < size; r += 1) for (let c = 0; c < size; c += 1) if (free[r][c]) cells[r][c] = plain[r][c] !== MASKS[mask](r, c);
    format(mask);
    const cost = penalty(cells);
    if (!best || cost < best.cost) best = { cost, cells: cells.map((row) => row.slice()) };
  }
  return best.cells;
}

/** A QR code as an SVG image. */
export function qrCode(text, label) {
  const cells = qrCells(text);
  if (!cells) return svg('svg', {});
  const side = cells.length + 8;
  let d = '';
  cells.forEach((row, r) => row.forEach((dark, c) => { if (dark) d += `M${c + 4} ${r + 4}h1v1h-1z`; }));
  return svg('svg', { viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    svg('rect', { width: side, height: side, fill: '#fff' }), svg('path', { d, fill: '#000' }));
}
