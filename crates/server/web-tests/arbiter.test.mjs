// The arbiter's page and the law book.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, launchBrowser, newPage, openPage, playMove, square } from './test_server.mjs';

let server;
let browser;
before(async () => { server = await new Server().start(); browser = await launchBrowser(); });
after(async () => { await browser?.close(); await server?.close(); });

test('a position is judged, its faults are all named, and it has a link', async () => {
  const page = await newPage(browser);
  await openPage(page, `${server.url}/arbiter`);
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
  const again = await newPage(browser);
  await openPage(again, page.url());
  await again.getByRole('gridcell', { name: 'e3, white bishop' }).waitFor();
  for (const one of [page, again]) { assert.deepEqual(one.errors.filter((line) => !/400/.test(line)), []); await one.context().close(); }
});

test('a move is asked about, on the board and in words; a line that wins can be played', async () => {
  const page = await newPage(browser);
  await openPage(page, `${server.url}/arbiter?variant=chess&fen=${encodeURIComponent('r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1')}`);
  await playMove(page, 'click', 'e1g1');
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
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('a position is set up by hand', async () => {
  const page = await newPage(browser);
  await openPage(page, `${server.url}/arbiter`);
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.getByRole('gridcell', { name: 'e1, empty' }).waitFor();
  for (const [piece, where] of [['white king', 'e1'], ['black king', 'e8'], ['white queen', 'd1']]) {
    await page.getByRole('group', { name: 'Men to set up' }).getByRole('button', { name: piece }).click();
    await square(page, where).click();
    await page.getByRole('gridcell', { name: `${where}, ${piece}` }).waitFor();
  }
  await page.getByRole('status', { name: 'Arbiter' }).getByText('White is to move').waitFor();
  await page.context().close();
});

/** The FEN in the text field. */
const fenOf = (page) => page.getByRole('textbox', { name: 'A position (FEN) or a game (PGN)' }).inputValue();

test('a position is set up by keyboard and touch, with castling rights and a capture en passant', async () => {
  const page = await newPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await openPage(page, `${server.url}/arbiter`);
  await page.getByRole('button', { name: 'Empty board' }).tap();
  await page.getByRole('gridcell', { name: 'e1, empty' }).waitFor();
  // By letters on the square that has the focus.
  for (const [where, key] of [['e1', 'K'], ['e8', 'k'], ['h1', 'R'], ['a8', 'r'], ['e5', 'P'], ['a1', 'Q']]) {
    await square(page, where).focus();
    await page.keyboard.press(key);
    await page.waitForFunction(([name, piece]) => document.querySelector(`#board [data-square="${name}"]`).dataset.piece === piece, [where, key]);
  }
  await square(page, 'a1').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('gridcell', { name: 'a1, empty' }).waitFor();
  // By touch: from the palette, then onto the board.
  await page.getByRole('group', { name: 'Men to set up' }).getByRole('button', { name: 'black pawn' }).tap();
  await square(page, 'd5').tap();
  await page.getByRole('gridcell', { name: 'd5, black pawn' }).waitFor();
  await page.getByRole('button', { name: 'Move men' }).tap();
  // Rights and the square that was passed over.
  await page.getByText('Castling and en passant').tap();
  await page.getByRole('checkbox', { name: 'White, king’s side' }).check();
  await page.getByRole('checkbox', { name: 'Black, queen’s side' }).check();
  await page.getByRole('combobox', { name: 'En passant on' }).selectOption('d6');
  await page.waitForFunction(() => / w Kq d6 /.test(document.getElementById('position-text').value));
  await page.getByRole('status', { name: 'Arbiter' }).getByText('White is to move').waitFor();
  await page.getByRole('textbox', { name: 'Ask about a move' }).fill('exd6');
  await page.keyboard.press('Enter');
  await page.getByText('exd6 is legal').waitFor();
  // Whose move it is; the capture en passant is over then.
  await page.getByText('Black to move').tap();
  await page.waitForFunction(() => / b Kq - /.test(document.getElementById('position-text').value));
  // A castling right without king and rook at home is a setup fault.
  await page.getByRole('checkbox', { name: 'White, queen’s side' }).check();
  await page.getByRole('alert').filter({ hasText: /castl/i }).waitFor();
  assert.match(await fenOf(page), / b KQq - /);
  await page.context().close();
});

test('pieces are dragged from the palette, and off the board', async () => {
  const page = await newPage(browser);
  await openPage(page, `${server.url}/arbiter`);
  await page.getByRole('button', { name: 'Start position' }).click();
  const center = async (node) => { const box = await node.boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  await page.mouse.move(...await center(page.getByRole('button', { name: 'white knight', exact: true })));
  await page.mouse.down();
  await page.mouse.move(...await center(square(page, 'e4')), { steps: 5 });
  await page.mouse.up();
  await page.getByRole('gridcell', { name: 'e4, white knight' }).waitFor();
  await page.getByRole('button', { name: 'Move men' }).click();
  await page.mouse.move(...await center(square(page, 'e4')));
  await page.mouse.down();
  await page.mouse.move(...await center(page.locator('h1')), { steps: 5 });
  await page.mouse.up();
  await page.getByRole('gridcell', { name: 'e4, empty' }).waitFor();
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('in Atomic the arbiter says which kings can be blown up, and shows the squares', async () => {
  const page = await newPage(browser);
  await openPage(page, `${server.url}/arbiter?variant=atomic&fen=${encodeURIComponent('8/3p4/4k3/4K3/8/8/8/3R4 b - - 0 1')}`);
  const announcer = page.locator('#announcer');
  await announcer.getByText('so neither is in check').waitFor();
  await announcer.getByText("Black's king on e6 can be blown up").waitFor();
  await announcer.getByRole('button', { name: 'Show the squares' }).last().click();
  assert.equal(await page.locator('.overlay .evidence .ring').count(), 3);
  await announcer.getByRole('button', { name: 'Show the squares' }).last().click();
  assert.equal(await page.locator('.overlay .evidence .ring').count(), 0);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('the position of a link is drawn before any script runs', async () => {
  const page = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}/arbiter?fen=${encodeURIComponent('8/8/4k3/8/8/3KB3/8/8 w - - 0 1')}`);
  await page.locator('#board svg.still').waitFor();
  assert.equal(await page.locator('#board svg.still use').count(), 3);
  await page.context().close();
});

test('the law book is read and searched', async () => {
  const page = await newPage(browser);
  await openPage(page, `${server.url}/rules/atomic`);
  await page.getByRole('heading', { name: 'The laws of Atomic' }).waitFor();
  assert.ok(await page.locator('.book .board').count() > 3, 'with small boards');
  await page.getByRole('textbox', { name: 'Search the laws' }).fill('explodes');
  await page.getByText('A capture explodes').first().waitFor();
  await page.getByRole('link', { name: 'Chess960' }).click();
  await page.getByRole('heading', { name: 'The laws of Chess960' }).waitFor();
  assert.deepEqual(page.errors, []);
  await page.context().close();
});
