// Whole games on the page, in every variant, by every way there is to move a man.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, come, launch, move, person, plies, sitDown, square } from './test_server.mjs';

let server;
let browser;
before(async () => { server = await new Server().start(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.close(); });

/** Plays a game to its end; each side by its own way. */
async function game(terms, ways, moves, { black: options = {} } = {}) {
  const white = await person(browser);
  const black = await person(browser, options);
  const id = await sitDown(server, white, black, { terms });
  for (const [ply, uci] of moves.entries()) {
    const isWhite = ply % 2 === 0;
    await move(isWhite ? white : black, ways[ply % 2], uci);
    await Promise.all([plies(white, ply + 1), plies(black, ply + 1)]);
  }
  return { white, black, id };
}

async function clean(...pages) {
  for (const page of pages) {
    assert.deepEqual(page.trouble, [], 'nothing went wrong on the page');
    await page.context().close();
  }
}

test('a friend is invited by a link, sits down and is mated', async () => {
  const white = await person(browser);
  await come(white, server.url);
  await white.getByRole('radiogroup', { name: 'Rules' }).getByText('Chess', { exact: true }).click();
  await white.getByRole('radiogroup', { name: 'Clock' }).getByRole('radio', { name: '5+3' }).check();
  await white.getByRole('radiogroup', { name: 'You play' }).getByText('White').click();
  await white.getByRole('button', { name: 'Invite a friend' }).click();
  const link = await white.getByRole('textbox', { name: 'Link for your friend' }).inputValue();
  const black = await person(browser);
  await come(black, link);
  await black.getByRole('textbox', { name: 'Your name' }).fill('Ben');
  await black.getByRole('button', { name: 'Take the seat' }).click();
  await white.getByText('Ben', { exact: true }).waitFor();
  await white.getByRole('gridcell', { name: 'e2, white pawn' }).waitFor();
  await move(white, 'click', 'f2f3');
  await plies(black, 1);
  await assert.doesNotReject(black.getByRole('status', { name: 'Arbiter' }).getByText('White played pawn f2 to f3').waitFor());
  await move(black, 'drag', 'e7e5');
  await plies(white, 2);
  await move(white, 'type', 'g4');
  await plies(black, 3);
  await move(black, 'keys', 'd8h4');
  for (const page of [white, black]) await page.getByRole('status', { name: 'Arbiter' }).getByText('Black wins').waitFor();
  assert.equal(await white.getByRole('list', { name: 'Moves' }).getByRole('button', { name: 'Qh4#' }).count(), 1);
  await clean(white, black);
});

test('Chess960, by drag and by touch: the king castles onto his rook, or goes where he ends up', async () => {
  const terms = { variant: 'chess960', start: 518 };
  const { white, black } = await game(terms, ['drag', 'tap'], ['e2e4', 'e7e5', 'g1f3', 'g8f6', 'f1c4', 'f8c5', 'e1g1', 'e8h8'],
    { black: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
  await white.getByRole('gridcell', { name: 'g1, white king' }).waitFor();
  await black.getByRole('gridcell', { name: 'f8, black rook' }).waitFor();
  await clean(white, black);
});

test('Atomic: the blast is shown before the hand lets go, and takes the king', async () => {
  const { white, black } = await game({ variant: 'atomic', time: '3+2' }, ['click', 'type'], ['g1f3', 'a7a6', 'f3g5', 'a6a5']);
  await square(white, 'g5').click();
  await square(white, 'f7').hover();
  await white.getByText('White wins.').waitFor();
  assert.ok(await white.locator('.overlay .explosion .cross').count() >= 4);
  await white.mouse.move(5, 5);
  await move(white, 'drag', 'g5f7');
  for (const page of [white, black]) await page.getByText('has blown up').waitFor();
  await clean(white, black);
});

test('Simple Atomic is played to a lost king', async () => {
  const { white, black } = await game({ variant: 'simple-atomic' }, ['type', 'click'], ['g1f3', 'a7a6', 'f3g5', 'a6a5', 'g5f7']);
  await black.getByText('White wins').first().waitFor();
  await clean(white, black);
});

test('a pawn is promoted by choice, with pointer and keyboard', async () => {
  const white = await person(browser);
  const black = await person(browser);
  await sitDown(server, white, black, { terms: { start: '4k3/P6P/8/8/8/8/p7/4K3 w - - 0 1' } });
  await move(white, 'drag', 'a7a8');
  const dialog = white.getByRole('dialog', { name: 'Promote to' });
  await dialog.getByRole('button', { name: 'Rook' }).click();
  await black.getByRole('gridcell', { name: 'a8, white rook' }).waitFor();
  await move(black, 'click', 'e8e7');
  await plies(white, 2);
  await move(white, 'keys', 'h7h8');
  await dialog.getByRole('button', { name: 'Queen' }).press('Enter');
  await black.getByRole('gridcell', { name: 'h8, white queen' }).waitFor();
  await clean(white, black);
});

test('a pawn that is tapped to the last rank is promoted by choice', async () => {
  const [white, black] = [await person(browser, { hasTouch: true, viewport: { width: 390, height: 844 } }), await person(browser)];
  await sitDown(server, white, black, { terms: { start: '7k/P6p/8/8/8/8/8/K7 w - - 0 1' } });
  await move(white, 'tap', 'a7a8');
  const dialog = white.getByRole('dialog', { name: 'Promote to' });
  await dialog.getByRole('button', { name: 'Rook' }).tap();
  await black.getByRole('gridcell', { name: 'a8, white rook' }).waitFor();
  await clean(white, black);
});
