// The arbiter's desk and the law book.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, come, launch, move, person, square } from './house.mjs';

let server;
let browser;
before(async () => { server = await new Server().start(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.close(); });

test('a position is judged, its faults are all named, and it has a link', async () => {
  const page = await person(browser);
  await come(page, `${server.url}/arbiter`);
  const text = page.getByRole('textbox', { name: 'A position (FEN) or a game (PGN)' });
  await text.fill('8/8/8/8/8/8/8/P6P w - - 0 1');
  await page.getByRole('button', { name: 'Judge it' }).click();
  await page.getByRole('alert').filter({ hasText: /king/ }).waitFor();
  assert.ok(await page.locator('.faults li').count() >= 2);
  await text.fill('8/8/4k3/8/8/3KB3/8/8 w - - 0 1');
  await page.getByRole('button', { name: 'Judge it' }).click();
  await page.getByRole('status', { name: 'Arbiter' }).getByText(/dead|drawn/).waitFor();
  await page.getByRole('button', { name: 'Who can still win?' }).click();
  await page.getByText('White cannot win').waitFor();
  const again = await person(browser);
  await come(again, page.url());
  await again.getByRole('gridcell', { name: 'e3, white bishop' }).waitFor();
  for (const one of [page, again]) { assert.deepEqual(one.trouble.filter((line) => !/400/.test(line)), []); await one.context().close(); }
});

test('a move is asked about, on the board and in words; a line that wins can be played', async () => {
  const page = await person(browser);
  await come(page, `${server.url}/arbiter?variant=chess&fen=${encodeURIComponent('r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1')}`);
  await move(page, 'click', 'e1g1');
  await page.getByRole('alert').filter({ hasText: /illegal/ }).waitFor();
  await page.locator('.checklist .broken').first().waitFor();
  await page.getByRole('textbox', { name: 'Ask about a move' }).fill('Kd1');
  await page.keyboard.press('Enter');
  await page.getByText('Kd1 is legal').waitFor();
  await page.getByRole('button', { name: "If White's flag fell?" }).click();
  await page.getByText(/Black wins/).waitFor();
  await page.getByRole('button', { name: 'Who can still win?' }).click();
  await page.getByRole('button', { name: 'Show the line' }).first().click();
  await page.getByRole('button', { name: 'One move on' }).click();
  await page.getByRole('status', { name: 'Arbiter' }).getByText(/· 2 \//).waitFor();
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});

test('men are set up by hand', async () => {
  const page = await person(browser);
  await come(page, `${server.url}/arbiter`);
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.getByRole('gridcell', { name: 'e1, empty' }).waitFor();
  for (const [man, where] of [['white king', 'e1'], ['black king', 'e8'], ['white queen', 'd1']]) {
    await page.getByRole('group', { name: 'Men to set up' }).getByRole('button', { name: man }).click();
    await square(page, where).click();
    await page.getByRole('gridcell', { name: `${where}, ${man}` }).waitFor();
  }
  await page.getByRole('status', { name: 'Arbiter' }).getByText('White is to move').waitFor();
  await page.context().close();
});

test('the law book is read and searched', async () => {
  const page = await person(browser);
  await come(page, `${server.url}/rules/atomic`);
  await page.getByRole('heading', { name: 'The laws of Atomic' }).waitFor();
  assert.ok(await page.locator('.book .board').count() > 3, 'with small boards');
  await page.getByRole('textbox', { name: 'Search the laws' }).fill('explodes');
  await page.getByText('A capture explodes').first().waitFor();
  await page.getByRole('link', { name: 'Chess960' }).click();
  await page.getByRole('heading', { name: 'The laws of Chess960' }).waitFor();
  assert.deepEqual(page.trouble, []);
  await page.context().close();
});
