// What a capture in Atomic is about to blow up, shown before the hand lets go.

import { SQUARES, colorOf, explodes, other, play } from './fen.js';
import { list, t } from './i18n.js';

/**
 * What a capture would blow up, or nothing: `{shapes, doomed, text}` for the board and the arbiter's voice.
 */
export function blastOf(men, uci, variant, you) {
  if (!explodes(variant) || uci.length < 4) return null;
  const done = play(men, uci, variant);
  if (!done.blast.length) return null;
  const dead = [done.from, ...done.blast.filter((index) => index !== done.to || men[done.to] !== '')];
  const say = (index) => {
    const piece = t(`pieces.${men[index].toLowerCase()}`);
    return t(colorOf(men[index]) === you ? 'yourMan' : 'theirMan', { piece, square: SQUARES[index] });
  };
  const kings = dead.filter((index) => men[index].toLowerCase() === 'k').map((index) => colorOf(men[index]));
  const man = done.man.toUpperCase();
  const san = `${man === 'P' ? SQUARES[done.from][0] : man}x${SQUARES[done.to]}`;
  let text = t(dead.length === 1 ? 'explodesOne' : 'explodes', { san, square: SQUARES[done.to], men: list(dead.map(say)) });
  if (kings.length === 1) text += ` ${t('wouldWin', { color: t(`Colors.${other(kings[0])}`) })}`;
  return {
    text,
    doomed: dead,
    shapes: [
      { kind: 'circle', square: done.to },
      ...dead.filter((index) => index !== done.from).map((square) => ({ kind: 'cross', square })),
      { kind: 'ring', square: done.from, tone: 'blast' },
    ],
  };
}
