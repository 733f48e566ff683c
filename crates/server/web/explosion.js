// What a capture in Atomic would explode, shown before the piece is dropped.

import { SQUARES, applyMove, capturesExplode, colorOf, opposite } from './fen.js';
import { list, t } from './i18n.js';

/**
 * The explosion that a capture would cause, or null: `{text, squares, shapes}`, where `squares` are those of the
 * pieces that would explode and `shapes` are for the overlay.
 */
export function explosionOf(pieces, uci, variant, you) {
  if (!capturesExplode(variant) || uci.length < 4) return null;
  const move = applyMove(pieces, uci, variant);
  if (!move.exploded.length) return null;
  const squares = [move.from, ...move.exploded.filter((index) => index !== move.to || pieces[move.to] !== '')];
  const pieceText = (index) => {
    const piece = t(`pieces.${pieces[index].toLowerCase()}`);
    return t(colorOf(pieces[index]) === you ? 'yourPiece' : 'otherPiece', { piece, square: SQUARES[index] });
  };
  const kings = squares.filter((index) => pieces[index].toLowerCase() === 'k').map((index) => colorOf(pieces[index]));
  const letter = move.piece.toUpperCase();
  const san = `${letter === 'P' ? SQUARES[move.from][0] : letter}x${SQUARES[move.to]}`;
  let text = t(squares.length === 1 ? 'explodesOne' : 'explodes', { san, square: SQUARES[move.to], pieces: list(squares.map(pieceText)) });
  if (kings.length === 1) text += ` ${t('wouldWin', { color: t(`Colors.${opposite(kings[0])}`) })}`;
  return {
    text,
    squares,
    shapes: [
      { kind: 'circle', square: move.to },
      ...squares.filter((index) => index !== move.from).map((square) => ({ kind: 'cross', square })),
      { kind: 'ring', square: move.from, tone: 'explosion' },
    ],
  };
}
