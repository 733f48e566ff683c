// A move in words, as it is spoken: "Black played knight g8 to f6, check".

import { SQUARES, colorOf, play, read } from './fen.js';
import { list, t } from './i18n.js';

/** Men on squares in words: "knight f6 and king e8". */
export const menOn = (men, squares) => list(squares.map((index) => t('theirMan', {
  piece: t(`pieces.${men[index].toLowerCase()}`), square: SQUARES[index],
})));

/** What a move was, in words without a full stop. */
export function sayMove(fenBefore, uci, san, variant) {
  const { men } = read(fenBefore);
  const done = play(men, uci, variant);
  if (done.man === '') return san;
  const color = t(`Colors.${colorOf(done.man)}`);
  const values = {
    color, piece: t(`pieces.${done.man.toLowerCase()}`), from: SQUARES[done.from], to: SQUARES[done.to],
  };
  let text;
  if (done.castles) text = t(done.castles === 'short' ? 'castlesShort' : 'castlesLong', values);
  else if (done.captured >= 0) {
    text = t('playedCapture', { ...values, captive: t(`pieces.${men[done.captured].toLowerCase()}`) });
    if (done.captured !== done.to) text += t('enPassant');
  } else text = t('played', values);
  if (done.promotes) text += t('promoting', { piece: t(`pieces.${done.promotes}`) });
  const others = done.blast.filter((index) => index !== done.to && index !== done.captured);
  if (others.length) text += t('blowsUp', { men: menOn(men, others) });
  const kingDied = done.blast.some((index) => men[index].toLowerCase() === 'k');
  if (san.endsWith('#') && !kingDied) text += t('mate');
  else if (san.endsWith('+')) text += t('check');
  return text;
}
