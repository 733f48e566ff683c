// Whole games on the page, in every variant and by every kind of input.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, launchBrowser, newPage, openPage, playMove, square, startGame, waitForPlies } from './test_server.mjs';

let server;
let browser;
before(async () => { server = await new Server().start(); browser = await launchBrowser(); });
after(async () => { await browser?.close(); await server?.close(); });

/** Plays moves on two pages, each side by its own kind of input. */
async function playGame(terms, inputs, moves, { black: options = {} } = {}) {
  const white = await newPage(browser);
  const black = await newPage(browser, options);
  const id = await startGame(server, white, black, { terms });
  for (const [ply, uci] of moves.entries()) {
    const isWhite = ply % 2 === 0;
    await playMove(isWhite ? white : black, inputs[ply % 2], uci);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
  }
  return { white, black, id };
}

/** Checks that there were no errors on the pages, and closes them. */
async function closeWithoutErrors(...pages) {
  for (const page of pages) {
    assert.deepEqual(page.errors, [], 'nothing went wrong on the page');
    await page.context().close();
  }
}

test('a friend is invited by a link, sits down and is mated', async () => {
  const white = await newPage(browser);
  await openPage(white, server.url);
  await white.getByRole('radiogroup', { name: 'Rules' }).getByText('Chess', { exact: true }).click();
  await white.getByRole('radiogroup', { name: 'Clock' }).getByRole('radio', { name: '5+3' }).check();
  await white.getByRole('radiogroup', { name: 'You play' }).getByText('White').click();
  await white.getByRole('button', { name: 'Invite a friend' }).click();
  const link = await white.getByRole('textbox', { name: 'Link for your friend' }).inputValue();
  const black = await newPage(browser);
  await openPage(black, link);
  await black.getByRole('textbox', { name: 'Your name' }).fill('Ben');
  await black.getByRole('button', { name: 'Take the seat' }).click();
  await white.getByText('Ben', { exact: true }).waitFor();
  await white.getByRole('gridcell', { name: 'e2, white pawn' }).waitFor();
  await playMove(white, 'click', 'f2f3');
  await waitForPlies(black, 1);
  await assert.doesNotReject(black.getByRole('status', { name: 'Arbiter' }).getByText('White played pawn f2 to f3').waitFor());
  await playMove(black, 'drag', 'e7e5');
  await waitForPlies(white, 2);
  await playMove(white, 'type', 'g4');
  await waitForPlies(black, 3);
  await playMove(black, 'keys', 'd8h4');
  for (const page of [white, black]) await page.getByRole('status', { name: 'Arbiter' }).getByText('Black wins').waitFor();
  assert.equal(await white.getByRole('list', { name: 'Moves' }).getByRole('button', { name: 'Qh4#' }).count(), 1);
  await closeWithoutErrors(white, black);
});

test('Chess960, by drag and by touch: the king castles onto his rook, or goes where he ends up', async () => {
  const terms = { variant: 'chess960', start: 518 };
  const { white, black } = await playGame(terms, ['drag', 'tap'], ['e2e4', 'e7e5', 'g1f3', 'g8f6', 'f1c4', 'f8c5', 'e1g1', 'e8h8'],
    { black: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
  await white.getByRole('gridcell', { name: 'g1, white king' }).waitFor();
  await black.getByRole('gridcell', { name: 'f8, black rook' }).waitFor();
  await closeWithoutErrors(white, black);
});

test('Atomic: the explosion is shown before the piece is dropped, and takes the king', async () => {
  const { white, black } = await playGame({ variant: 'atomic', time: '3+2' }, ['click', 'type'], ['g1f3', 'a7a6', 'f3g5', 'a6a5']);
  await square(white, 'g5').click();
  await square(white, 'f7').hover();
  await white.getByText('White wins.').waitFor();
  assert.ok(await white.locator('.overlay .explosion .cross').count() >= 4);
  await white.mouse.move(5, 5);
  await playMove(white, 'drag', 'g5f7');
  for (const page of [white, black]) await page.getByText('has blown up').waitFor();
  await closeWithoutErrors(white, black);
});

test('Simple Atomic is played to a lost king', async () => {
  const { white, black } = await playGame({ variant: 'simple-atomic' }, ['type', 'click'], ['g1f3', 'a7a6', 'f3g5', 'a6a5', 'g5f7']);
  await black.getByText('White wins').first().waitFor();
  await closeWithoutErrors(white, black);
});

test('a pawn is promoted by choice, with pointer and keyboard', async () => {
  const white = await newPage(browser);
  const black = await newPage(browser);
  await startGame(server, white, black, { terms: { start: '4k3/P6P/8/8/8/8/p7/4K3 w - - 0 1' } });
  await playMove(white, 'drag', 'a7a8');
  const dialog = white.getByRole('dialog', { name: 'Promote to' });
  await dialog.getByRole('button', { name: 'Rook' }).click();
  await black.getByRole('gridcell', { name: 'a8, white rook' }).waitFor();
  await playMove(black, 'click', 'e8e7');
  await waitForPlies(white, 2);
  await playMove(white, 'keys', 'h7h8');
  await dialog.getByRole('button', { name: 'Queen' }).press('Enter');
  await black.getByRole('gridcell', { name: 'h8, white queen' }).waitFor();
  await closeWithoutErrors(white, black);
});

test('a pawn that is tapped to the last rank is promoted by choice', async () => {
  const [white, black] = [await newPage(browser, { hasTouch: true, viewport: { width: 390, height: 844 } }), await newPage(browser)];
  await startGame(server, white, black, { terms: { start: '7k/P6p/8/8/8/8/8/K7 w - - 0 1' } });
  await playMove(white, 'tap', 'a7a8');
  const dialog = white.getByRole('dialog', { name: 'Promote to' });
  await dialog.getByRole('button', { name: 'Rook' }).tap();
  await black.getByRole('gridcell', { name: 'a8, white rook' }).waitFor();
  await closeWithoutErrors(white, black);
});
