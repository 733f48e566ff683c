// Games with the computer, at the table and with its accounts, and where a finished game turned.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, axeSource, launchBrowser, newPage, openPage, playMove, startGame, waitForPlies } from './test_server.mjs';

let server;
let browser;
before(async () => { server = await new Server('--registration', 'open', '--bots').start(); browser = await launchBrowser(); });
after(async () => { await browser?.close(); await server?.close(); });

const LEVEL_NAMES = ['First steps', 'Beginner', 'Casual', 'Club novice', 'Club', 'Strong club', 'Expert', 'Master', 'Full strength'];

/** Waits for so many plies, as long as a search takes on a slow machine. */
const waitForComputer = (page, count) => page.waitForFunction((expected) => document.querySelectorAll('#moves button').length >= expected, count, { timeout: 30_000 });

test('all nine levels can be chosen by name, and the side', async () => {
  const anna = await newPage(browser);
  await openPage(anna, server.url);
  const levels = anna.getByLabel('Strength of the computer');
  assert.deepEqual(await levels.locator('option').allTextContents(), LEVEL_NAMES);
  for (const [name, side, account] of [['First steps', 'White', 'first-steps'], ['Beginner', 'Black', 'beginner']]) {
    await openPage(anna, server.url);
    await levels.selectOption({ label: name });
    await anna.getByRole('radiogroup', { name: 'You play' }).getByText(side).click();
    await anna.getByRole('button', { name: 'Play the computer' }).click();
    await anna.waitForSelector('#board [role="grid"]');
    await anna.locator('.far .name').filter({ hasText: account }).waitFor();
    assert.equal(await anna.locator('#board').getAttribute('data-orientation'), side.toLowerCase());
    if (side === 'White') await playMove(anna, 'type', 'e4');
    await waitForComputer(anna, side === 'White' ? 2 : 1);
  }
  assert.deepEqual(anna.errors, []);
  await anna.context().close();
});

test('a takeback takes its move and the own one, a draw offer is answered, and it wants to play again', async () => {
  const anna = await newPage(browser);
  // One that overlooks nothing, so that its first move gives it no reason to be glad of a draw.
  const made = await anna.request.post(`${server.url}/v1/tables`, { headers: { origin: server.url }, data: { side: 'white', computer: 'expert', seed: 1 } });
  await openPage(anna, `${server.url}/${(await made.json()).game}`);
  await anna.locator('.far .name').filter({ hasText: 'Computer (Expert, seed 1)' }).waitFor();
  await playMove(anna, 'type', 'd4');
  await waitForComputer(anna, 2);
  await anna.getByRole('button', { name: 'Ask to take back' }).click();
  await waitForPlies(anna, 0);
  await playMove(anna, 'type', 'e4');
  await waitForComputer(anna, 2);
  await anna.getByRole('button', { name: 'Offer a draw' }).click();
  await anna.getByText('The draw was declined').waitFor({ timeout: 30_000 });
  await anna.getByRole('button', { name: 'Resign' }).click();
  await anna.getByRole('button', { name: 'Yes, resign' }).click();
  await anna.getByRole('button', { name: 'Accept the rematch' }).waitFor();
  assert.deepEqual(anna.errors, []);
  await anna.context().close();
});

test('a bot of the server is challenged by name from the first page', async () => {
  const anna = await newPage(browser);
  await anna.request.post(`${server.url}/v1/account`, { headers: { origin: server.url }, data: { name: 'Dora', password: 'correct horse battery' } });
  await openPage(anna, server.url);
  await anna.getByText('More terms').click();
  await anna.getByRole('textbox', { name: 'Challenge by name' }).fill('first-steps');
  await anna.getByRole('radiogroup', { name: 'You play' }).getByText('Black').click();
  await anna.getByRole('button', { name: 'Invite a friend' }).click();
  await anna.waitForSelector('#board [role="grid"]', { timeout: 30_000 });
  await anna.locator('.far .name').filter({ hasText: 'first-steps' }).waitFor();
  await waitForComputer(anna, 1);
  assert.deepEqual(anna.errors, []);
  await anna.context().close();
});

for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
  test(`a finished game says where it turned, in a graph and in words, at ${viewport.width}`, async () => {
    const [white, black] = [await newPage(browser, { viewport }), await newPage(browser)];
    const game = await startGame(server, white, black, { terms: { time: '5+3' } });
    const early = await white.request.post(`${server.url}/v1/tables/${game}/review`, { headers: { origin: server.url } });
    assert.equal(early.status(), 409, 'not while it is played');
    const moves = ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4', 'Qg5', 'Nxg5', 'Nf6', 'Bxf7', 'Ke7'];
    for (const [ply, san] of moves.entries()) {
      await playMove(ply % 2 ? black : white, 'type', san);
      await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
    }
    await black.getByRole('button', { name: 'Resign' }).click();
    await black.getByRole('button', { name: 'Yes, resign' }).click();
    await white.getByRole('button', { name: 'Where did it turn?' }).click();
    const graph = white.getByRole('img', { name: /^White’s chance to win/ });
    await graph.waitFor({ timeout: 60_000 });
    const name = await graph.getAttribute('aria-label');
    assert.match(name, /It turned with .*3… Qg5/);
    const points = white.getByRole('list', { name: 'Turning points' });
    assert.match(await points.textContent(), /3… Qg5.*Black .*Better was 3\.\.\. /);
    // The turning point, and what was better, are shown on the board.
    await points.getByRole('button', { name: '3… Qg5', exact: true }).click();
    assert.equal(await white.locator('#moves [aria-current]').textContent(), 'Qg5');
    await white.getByRole('button', { name: 'Show what was better than 3… Qg5' }).click();
    await white.getByRole('status', { name: 'Arbiter' }).getByText('Better for Black').waitFor();
    assert.notEqual(await white.locator('#board [data-square="g5"]').getAttribute('data-piece'), 'q');
    await white.getByRole('button', { name: 'Back to the game' }).click();
    assert.equal(await white.locator('#moves [aria-current]').textContent(), 'Qg5');
    await graph.click({ position: { x: 2, y: 20 } });
    assert.equal(await white.locator('#moves [aria-current]').count(), 0);
    await white.getByText('The chances after each move, in words').click();
    assert.equal(await white.locator('.chances li').count(), moves.length);
    await white.evaluate(axeSource);
    const found = await white.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target)}`));
    assert.deepEqual(found, []);
    const wide = await white.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    assert.deepEqual([...white.errors, ...black.errors], []);
    for (const page of [white, black]) await page.context().close();
  });
}

test('a review is given up when nobody wants it any more', async () => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  await startGame(server, white, black, { terms: {} });
  for (const [ply, san] of ['f3', 'e5', 'g4', 'Qh4#'].entries()) {
    await playMove(ply % 2 ? black : white, 'type', san);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
  }
  await white.route('**/review', async (route) => route.fulfill({ json: { status: 'running', done: 1, of: 4 } }));
  await white.getByRole('button', { name: 'Where did it turn?' }).click();
  const bar = white.getByRole('progressbar', { name: 'How much of the game has been looked at' });
  await bar.waitFor();
  await white.waitForFunction(() => document.querySelector('progress').value === 1);
  await white.getByRole('button', { name: 'Cancel', exact: true }).click();
  await white.getByRole('button', { name: 'Where did it turn?' }).waitFor();
  await white.unroute('**/review');
  await white.getByRole('button', { name: 'Where did it turn?' }).click();
  await white.getByRole('list', { name: 'Turning points' }).getByRole('button', { name: '2. g4', exact: true }).waitFor({ timeout: 60_000 });
  assert.deepEqual(white.errors, []);
  for (const page of [white, black]) await page.context().close();
});
