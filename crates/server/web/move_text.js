// A move in words, for the announcer: "Black played knight g8 to f6, check".

import { SQUARES, applyMove, colorOf, readFen } from './fen.js';
import { list, t } from './i18n.js';

/** The pieces on squares in words: "knight f6 and king e8". */
const piecesOn = (pieces, squares) => list(squares.map((index) => t('otherPiece', {
  piece: t(`pieces.${pieces[index].toLowerCase()}`), square: SQUARES[index],
})));

/** A move in words, without a full stop. */
export function moveText(fenBefore, uci, san, variant) {
  const { pieces } = readFen(fenBefore);
  const move = applyMove(pieces, uci, variant);
  if (move.piece === '') return san;
  const color = t(`Colors.${colorOf(move.piece)}`);
  const values = {
    color, piece: t(`pieces.${move.piece.toLowerCase()}`), from: SQUARES[move.from], to: SQUARES[move.to],
  };
  let text;
  if (move.castlingSide) text = t(move.castlingSide === 'kingside' ? 'castlesShort' : 'castlesLong', values);
  else if (move.captureSquare >= 0) {
    text = t('playedCapture', { ...values, captive: t(`pieces.${pieces[move.captureSquare].toLowerCase()}`) });
    if (move.captureSquare !== move.to) text += t('enPassant');
  } else text = t('played', values);
  if (move.promotion) text += t('promoting', { piece: t(`pieces.${move.promotion}`) });
  const others = move.exploded.filter((index) => index !== move.to && index !== move.captureSquare);
  if (others.length) text += t('blowsUp', { pieces: piecesOn(pieces, others) });
  const isKingExploded = move.exploded.some((index) => pieces[index].toLowerCase() === 'k');
  if (san.endsWith('#') && !isKingExploded) text += t('mate');
  else if (san.endsWith('+')) text += t('check');
  return text;
}
