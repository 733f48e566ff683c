// What happens at a table apart from plain moves: refusals, offers, premoves, clocks, lost connections, spectators.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Server, launchBrowser, newPage, openPage, playMove, readQr, square, startGame, waitForPlies } from './test_server.mjs';

let server;
let browser;
before(async () => { server = await new Server().start(); browser = await launchBrowser(); });
after(async () => { await browser?.close(); await server?.close(); });

/** A game on two pages. */
async function startTwoPlayerGame(terms, options) {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  const id = await startGame(server, white, black, { terms, ...options });
  return { white, black, id };
}

/** Checks that there were no errors on the pages, and closes them. */
async function closeWithoutErrors(...pages) {
  for (const page of pages) {
    assert.deepEqual(page.errors, []);
    await page.context().close();
  }
}

test('an illegal try is answered with the reason and the squares that prove it', async () => {
  const { white, black } = await startTwoPlayerGame({ start: '4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1' });
  await playMove(white, 'drag', 'e2d3');
  const alert = white.getByRole('alert').filter({ hasText: 'pinned' });
  await alert.waitFor();
  assert.ok(await white.locator('.overlay .evidence .ring').count() >= 2);
  assert.equal(await white.locator('.overlay .evidence .attack').count(), 1);
  assert.equal(await white.getByRole('gridcell', { name: 'e2, white bishop' }).count(), 1);
  await playMove(white, 'type', 'Kf3');
  await white.getByRole('alert').filter({ hasText: /king/ }).waitFor();
  await closeWithoutErrors(white, black);
});

test('what was nearly typed is offered', async () => {
  const { white, black } = await startTwoPlayerGame({});
  await playMove(white, 'type', 'Nf4');
  const offer = white.getByRole('button', { name: /Did you mean/ }).first();
  await offer.waitFor();
  await offer.click();
  await waitForPlies(black, 1);
  await closeWithoutErrors(white, black);
});

test('what a typed move would do is shown before it is played, and a broken law by its checklist', async () => {
  const { white, black } = await startTwoPlayerGame({});
  await white.getByRole('textbox', { name: 'Your move' }).pressSequentially('Nf3');
  await white.getByText('Nf3 is legal').waitFor();
  await white.keyboard.press('Enter');
  await waitForPlies(black, 1);
  await playMove(black, 'drag', 'e8e6');
  await black.getByRole('button', { name: 'Which law?' }).click();
  await black.locator('.checklist .broken').first().waitFor();
  await closeWithoutErrors(white, black);
});

test('after the game variations are tried, and an illegal one is explained', async () => {
  const { white, black } = await startTwoPlayerGame({});
  for (const [ply, san] of ['f3', 'e5', 'g4', 'Qh4'].entries()) {
    await playMove(ply % 2 ? black : white, 'type', san);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
  }
  await white.getByRole('button', { name: 'g4', exact: true }).click();
  await playMove(white, 'type', 'd5');
  await white.getByText('Your variation: 2… d5').waitFor();
  await playMove(white, 'drag', 'g1h3');
  await white.getByRole('status', { name: 'Arbiter' }).getByText('3. Nh3').waitFor();
  await playMove(white, 'type', 'Ke5');
  await white.getByRole('alert').filter({ hasText: /illegal/ }).waitFor();
  await white.getByRole('button', { name: 'First position' }).click();
  await white.getByRole('gridcell', { name: 'f2, white pawn' }).waitFor();
  await white.getByText('Keep and share').click();
  const [file] = await Promise.all([white.waitForEvent('download'), white.getByRole('button', { name: 'Save PGN with your moves' }).click()]);
  const pgn = readFileSync(await file.path(), 'utf8');
  assert.match(pgn, /2\. g4 Qh4# \(2\.\.\. d5 3\. Nh3\)/);
  // They are there after a reload, can be opened and exported again, and forgotten.
  await white.reload();
  await white.waitForSelector('html[data-ready="yes"]');
  await white.getByRole('region', { name: 'Your variations' }).getByRole('button', { name: '2… d5 3. Nh3' }).click();
  await white.getByRole('gridcell', { name: 'h3, white knight' }).waitFor();
  await white.getByText('Keep and share').click();
  const [again] = await Promise.all([white.waitForEvent('download'), white.getByRole('button', { name: 'Save PGN with your moves' }).click()]);
  assert.match(readFileSync(await again.path(), 'utf8'), /\(2\.\.\. d5 3\. Nh3\)/);
  assert.equal(await black.getByRole('region', { name: 'Your variations' }).count(), 0, 'they are his own');
  await white.getByRole('button', { name: 'Forget it' }).click();
  await white.getByRole('region', { name: 'Your variations' }).waitFor({ state: 'detached' });
  await white.reload();
  await white.waitForSelector('html[data-ready="yes"]');
  await white.getByRole('button', { name: 'Rematch' }).waitFor();
  assert.equal(await white.getByRole('region', { name: 'Your variations' }).count(), 0);
  await closeWithoutErrors(white, black);
});

test('the computer plays, and the first page shows games to go on with', async () => {
  const anna = await newPage(browser);
  await openPage(anna, server.url);
  await anna.getByRole('radiogroup', { name: 'You play' }).getByText('White').click();
  await anna.getByRole('button', { name: 'Play the computer' }).click();
  await anna.getByText('Computer (Casual)').first().waitFor();
  await playMove(anna, 'click', 'e2e4');
  await waitForPlies(anna, 2);
  await openPage(anna, server.url);
  await anna.getByRole('link', { name: /Go on/ }).click();
  await waitForPlies(anna, 2);
  await closeWithoutErrors(anna);
});

test('an open game is found on the first page, joined there, and watched by a third', async () => {
  const [anna, ben, carla] = [await newPage(browser), await newPage(browser), await newPage(browser)];
  await openPage(anna, server.url);
  await anna.getByText('More terms').click();
  await anna.getByRole('textbox', { name: 'Your name' }).fill('Anna');
  await anna.getByText('Anybody may join').click();
  await anna.getByRole('button', { name: 'Invite a friend' }).click();
  await anna.getByRole('textbox', { name: 'Link for your friend' }).waitFor();
  await openPage(ben, server.url);
  await ben.getByRole('link', { name: 'Join: Anna' }).click();
  await ben.getByRole('button', { name: 'Take the seat' }).click();
  await anna.getByRole('button', { name: 'Resign' }).waitFor();
  await openPage(carla, server.url);
  await carla.getByRole('link', { name: /Watch: .*Anna/ }).click();
  await carla.getByRole('gridcell', { name: 'e2, white pawn' }).waitFor();
  await closeWithoutErrors(anna, ben, carla);
});

test('premoves are played in turn, and cancelled clearly', async () => {
  const { white, black } = await startTwoPlayerGame({ time: '5+3' });
  await playMove(black, 'drag', 'e7e5');
  await playMove(black, 'click', 'g8f6');
  await black.getByText('will be played').waitFor();
  await playMove(white, 'click', 'e2e4');
  await waitForPlies(white, 2);
  await playMove(white, 'click', 'd2d4');
  await Promise.all([waitForPlies(white, 4), waitForPlies(black, 4)]);
  await playMove(black, 'click', 'f6e4');
  await black.keyboard.press('Escape');
  await black.getByText('What was planned is cancelled').waitFor();
  await playMove(black, 'click', 'e5d4');
  await playMove(white, 'click', 'd4e5');
  await black.getByText('is not legal now').waitFor();
  assert.equal(await black.locator('#moves button').count(), 5);
  await closeWithoutErrors(white, black);
});

test('on a slow connection a piece that has just moved can premove', async () => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  let deliver;
  const delivered = new Promise((resolve) => { deliver = resolve; });
  await white.routeWebSocket(/\/live/, (socket) => {
    const upstream = socket.connectToServer();
    socket.onMessage(async (message) => { await delivered; upstream.send(message); });
  });
  await startGame(server, white, black, {});
  await playMove(white, 'click', 'e2e4');
  await playMove(white, 'click', 'e4e5');
  await white.getByText('will be played').waitFor();
  assert.equal(await white.locator('#moves button').count(), 0, 'the first is still on its way');
  await white.getByRole('gridcell', { name: 'e5, white pawn' }).waitFor();
  deliver();
  await waitForPlies(black, 1);
  await playMove(black, 'click', 'a7a6');
  await waitForPlies(black, 3);
  await closeWithoutErrors(white, black);
});

test('premoves are cancelled by a button too', async () => {
  const { white, black } = await startTwoPlayerGame({});
  await playMove(black, 'click', 'e7e5');
  await playMove(black, 'click', 'd7d5');
  assert.equal(await black.locator('.overlay .premoves .arrow').count(), 2);
  await black.getByRole('button', { name: 'Cancel the plan' }).click();
  await black.getByText('What was planned is cancelled').waitFor();
  assert.equal(await black.locator('.overlay .premoves .arrow').count(), 0);
  assert.equal(await black.getByRole('button', { name: 'Cancel the plan' }).count(), 0);
  await closeWithoutErrors(white, black);
});

test('in Atomic a king that can be blown up is named to both, and its squares are shown', async () => {
  const { white, black } = await startTwoPlayerGame({ variant: 'atomic' });
  for (const [ply, san] of ['Nf3', 'a6', 'Ng5'].entries()) {
    await playMove(ply % 2 ? black : white, 'type', san);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
  }
  for (const page of [white, black]) {
    await page.getByText("Black's king on e8 can be blown up: the knight on g5 can take the pawn on f7.").waitFor();
  }
  await black.getByRole('button', { name: 'Show the squares' }).click();
  assert.equal(await black.locator('.overlay .evidence .ring').count(), 3);
  await black.reload();
  await black.getByText("Black's king on e8 can be blown up").waitFor();
  await playMove(black, 'type', 'f6');
  await waitForPlies(black, 4);
  assert.equal(await black.getByText('can be blown up').count(), 0);
  await closeWithoutErrors(white, black);
});

test('in Atomic kings that touch are explained', async () => {
  const { white, black } = await startTwoPlayerGame({ variant: 'atomic', start: '8/8/4k3/8/4K3/8/8/r6R w - - 0 1' });
  await playMove(white, 'type', 'Ke5');
  for (const page of [white, black]) await page.getByText('The kings on e5 and e6 touch').waitFor();
  await closeWithoutErrors(white, black);
});

test('who never comes to make a first move can be claimed against', async () => {
  const { white, black } = await startTwoPlayerGame({ time: '5+3', no_show: 10 });
  await playMove(white, 'type', 'e4');
  await waitForPlies(white, 1);
  assert.equal(await white.getByRole('button', { name: 'Claim the win' }).count(), 0);
  await white.getByText('has not come to make a first move in time').waitFor();
  assert.equal(await black.getByRole('button', { name: 'Claim the win' }).count(), 0, 'not who is on move');
  await white.getByRole('button', { name: 'Claim the win' }).click();
  await white.getByText('has not come to the board in time').first().waitFor();
  await closeWithoutErrors(white, black);
});

test('who has left can be claimed against, after a while', async () => {
  const { white, black } = await startTwoPlayerGame({ time: '5+3', absence: 10 });
  for (const [ply, san] of ['e4', 'e5'].entries()) {
    await playMove(ply % 2 ? black : white, 'type', san);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
  }
  await black.context().close();
  await white.getByText('has been away for long').waitFor({ timeout: 20_000 });
  await white.getByRole('button', { name: 'Claim the win' }).click();
  await white.getByText('has left the game').first().waitFor();
  await closeWithoutErrors(white);
});

test('a link that names a colour leads to that seat', async () => {
  const made = await (await fetch(`${server.url}/api/challenge/open`, { method: 'POST' })).json();
  const [white, black] = [await newPage(browser), await newPage(browser)];
  await openPage(black, made.urlBlack);
  assert.equal(await black.locator('#board').getAttribute('data-orientation'), 'black');
  assert.ok(await black.getByRole('radiogroup', { name: 'You play' }).getByRole('radio', { name: 'Black' }).isChecked());
  await black.getByRole('button', { name: 'Take the seat' }).click();
  await black.getByRole('textbox', { name: 'Link for your friend' }).waitFor();
  await openPage(white, made.urlBlack);
  await white.getByText('You play White').waitFor();
  await white.getByRole('button', { name: 'Take the seat' }).click();
  await white.getByRole('button', { name: 'Resign' }).waitFor();
  await playMove(white, 'click', 'e2e4');
  await waitForPlies(black, 1);
  assert.equal(await black.locator('#board').getAttribute('data-orientation'), 'black');
  const third = await newPage(browser);
  const open = await (await fetch(`${server.url}/api/challenge/open`, { method: 'POST' })).json();
  await openPage(third, `${open.url}?color=<script>`);
  assert.ok(await third.getByRole('radio', { name: 'by lot' }).isChecked());
  await closeWithoutErrors(white, black, third);
});

test('an invitation is withdrawn, and whoever comes by the link is told', async () => {
  const [host, friend] = [await newPage(browser), await newPage(browser)];
  await openPage(host, server.url);
  await host.getByRole('button', { name: 'Invite a friend' }).click();
  const link = await host.getByRole('textbox', { name: 'Link for your friend' }).inputValue();
  await host.getByRole('button', { name: 'Withdraw the invitation' }).click();
  await host.getByText('there is no result').first().waitFor();
  assert.equal(await host.getByRole('button', { name: 'Rematch' }).count(), 0);
  await host.getByRole('link', { name: 'New game' }).waitFor();
  await openPage(friend, link);
  await friend.getByText('there is no result').first().waitFor();
  assert.equal(await friend.getByRole('button', { name: 'Take the seat' }).count(), 0);
  assert.doesNotMatch(await friend.title(), /open seat/i);
  await openPage(host, server.url);
  assert.equal(await host.getByText('waiting for somebody').count(), 0);
  await closeWithoutErrors(host, friend);
});

test('a draw is offered and declined, offered and accepted', async () => {
  const { white, black } = await startTwoPlayerGame({ time: '5+3' });
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  await playMove(black, 'type', 'e5');
  await waitForPlies(white, 2);
  await white.getByRole('button', { name: 'Offer a draw' }).click();
  await black.getByText('Anna offers a draw').waitFor();
  await black.getByRole('button', { name: 'Decline the draw' }).click();
  await white.getByText('declined').waitFor();
  await playMove(white, 'type', 'Nf3');
  await waitForPlies(black, 3);
  await black.getByRole('button', { name: 'Offer a draw' }).click();
  await white.getByRole('button', { name: 'Accept the draw' }).click();
  await black.getByText('The players have agreed to a draw').first().waitFor();
  await closeWithoutErrors(white, black);
});

test('a draw is claimed by repetition', async () => {
  const { white, black } = await startTwoPlayerGame({ draws: 'claim' });
  const dance = ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1', 'Ng8'];
  for (const [ply, san] of dance.entries()) {
    await playMove(ply % 2 ? black : white, 'type', san);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
  }
  await white.getByRole('button', { name: 'Claim a draw' }).click();
  await black.getByText('claimed a draw').first().waitFor();
  await closeWithoutErrors(white, black);
});

test('a move is taken back when the other agrees', async () => {
  const { white, black } = await startTwoPlayerGame({});
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  await white.getByRole('button', { name: 'Ask to take back' }).click();
  await black.getByRole('button', { name: 'Accept the takeback' }).click();
  await waitForPlies(white, 0);
  await white.getByRole('gridcell', { name: 'e2, white pawn' }).waitFor();
  await closeWithoutErrors(white, black);
});

test('time is given, a player resigns with a second thought, and they play again', async () => {
  const { white, black, id } = await startTwoPlayerGame({ time: '5+3' });
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  await black.getByRole('button', { name: 'Give 15 seconds' }).click();
  await white.getByText('was given 15 seconds').waitFor();
  await black.getByRole('button', { name: 'Resign' }).click();
  await black.getByRole('button', { name: 'No', exact: true }).click();
  await black.getByRole('button', { name: 'Resign' }).click();
  await black.getByRole('button', { name: 'Yes, resign' }).click();
  await white.getByText('Black has resigned').first().waitFor();
  await white.getByRole('button', { name: 'Rematch' }).click();
  await black.getByRole('button', { name: 'Accept the rematch' }).click();
  for (const page of [white, black]) await page.waitForURL((url) => !url.pathname.includes(id) && url.pathname.length === 9);
  await closeWithoutErrors(white, black);
});

test('a flag falls, and the line that could still have won is shown', async () => {
  const { white, black } = await startTwoPlayerGame({ time: '0:02' });
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  await playMove(black, 'type', 'e5');
  await waitForPlies(white, 2);
  const clock = white.getByRole('timer', { name: "White's clock" });
  await clock.filter({ hasText: /^[01]\.\d$/ }).waitFor();
  const shown = [];
  for (let i = 0; i < 12; i += 1) { shown.push(Number(await clock.textContent())); await white.waitForTimeout(60); }
  for (let i = 1; i < shown.length; i += 1) assert.ok(shown[i] <= shown[i - 1], `never back: ${shown}`);
  await white.getByText('time has run out').first().waitFor();
  await black.getByRole('button', { name: /could have won/ }).click();
  await black.getByText(/move 1 of/).waitFor();
  await black.getByRole('button', { name: 'One move on' }).click();
  await black.getByText(/move 2 of/).waitFor();
  await closeWithoutErrors(white, black);
});

test('the server is killed in mid-game, and the page comes back with every move', async () => {
  const { white, black } = await startTwoPlayerGame({ time: '5+3' });
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  await server.kill();
  await white.getByText('The connection is gone').waitFor();
  await playMove(black, 'click', 'e7e5');
  await server.start();
  await waitForPlies(white, 2);
  await playMove(white, 'click', 'g1f3');
  await waitForPlies(black, 3);
  const isUnexpected = (text) => !/WebSocket|ERR_CONNECTION|Failed to load/.test(text);
  for (const page of [white, black]) { assert.deepEqual(page.errors.filter(isUnexpected), []); await page.context().close(); }
});

test('a dead connection that stays open is noticed, and nothing is lost', async () => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  let isDead = false;
  await white.routeWebSocket(/\/live/, (socket) => {
    const upstream = socket.connectToServer();
    const wasDead = isDead;
    socket.onMessage((message) => { if (!isDead || wasDead) upstream.send(message); });
    upstream.onMessage((message) => { if (!isDead || wasDead) socket.send(message); });
  });
  await startGame(server, white, black, {});
  isDead = true;
  await playMove(white, 'click', 'e2e4');
  await waitForPlies(black, 1);
  await waitForPlies(white, 1);
  await closeWithoutErrors(white, black);
});

test('somebody watches, steps back and is told what happened', async () => {
  const { white, black, id } = await startTwoPlayerGame({});
  const watcher = await newPage(browser, { viewport: { width: 768, height: 1024 } });
  await openPage(watcher, `${server.url}/${id}`);
  await watcher.getByText('here').first().waitFor();
  await white.getByText('1 watching').waitFor();
  await playMove(white, 'type', 'e4');
  await waitForPlies(watcher, 1);
  await playMove(black, 'type', 'c5');
  await waitForPlies(watcher, 2);
  assert.equal(await watcher.getByRole('textbox', { name: 'Your move' }).isVisible(), false);
  await watcher.keyboard.press('ArrowLeft');
  await watcher.getByRole('gridcell', { name: 'c7, black pawn' }).waitFor();
  await watcher.getByRole('button', { name: 'Flip the board' }).click();
  assert.equal(await watcher.locator('#board button').first().getAttribute('data-square'), 'h1');
  await closeWithoutErrors(white, black, watcher);
});

test('a game and its position are kept at any time, as they are shown', async () => {
  const { white, black, id } = await startTwoPlayerGame({});
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  const watcher = await newPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openPage(watcher, `${server.url}/${id}`);
  await watcher.getByRole('button', { name: 'Keep and share' }).click();
  const dialog = watcher.getByRole('dialog', { name: 'Keep and share' });
  await dialog.getByRole('button', { name: 'Copy FEN' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(await watcher.evaluate(() => navigator.clipboard.readText()), /^rnbqkbnr\/pppppppp\/8\/8\/4P3\//);
  assert.equal(await dialog.getByRole('link', { name: 'Ask the arbiter' }).count(), 0, 'not while they play');
  const [drawn] = await Promise.all([watcher.waitForEvent('download'), dialog.getByRole('link', { name: 'Diagram SVG' }).click()]);
  assert.match(readFileSync(await drawn.path(), 'utf8'), /^<svg/);
  await watcher.keyboard.press('Escape');
  await white.getByRole('button', { name: 'Resign' }).click();
  await white.getByRole('button', { name: 'Yes, resign' }).click();
  await watcher.getByText('Keep and share: PGN').click();
  await watcher.getByRole('button', { name: 'First position' }).click();
  const [png] = await Promise.all([watcher.waitForEvent('download'), watcher.getByRole('link', { name: 'Diagram PNG' }).click()]);
  assert.match(decodeURIComponent(png.url()), /PPPPPPPP/, 'the position that is shown');
  await closeWithoutErrors(white, black, watcher);
});

test('players talk to each other, and spectators do not hear it', async () => {
  const { white, black } = await startTwoPlayerGame({});
  await white.getByText('Chat', { exact: true }).click();
  await white.getByRole('textbox', { name: 'Say something' }).fill('good luck <b>');
  await white.keyboard.press('Enter');
  await black.getByText('Chat').click();
  await black.getByText('good luck <b>').waitFor();
  await closeWithoutErrors(white, black);
});

test('the QR code says the link', async () => {
  const white = await newPage(browser);
  await openPage(white, server.url);
  await white.getByRole('button', { name: 'Invite a friend' }).click();
  const link = await white.getByRole('textbox', { name: 'Link for your friend' }).inputValue();
  const { d, side } = await white.getByRole('img', { name: 'QR code of the link' }).evaluate((node) => ({ d: node.querySelector('path').getAttribute('d'), side: Number(node.getAttribute('viewBox').split(' ')[2]) }));
  const scale = 4;
  const size = side * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, column, row] of d.matchAll(/M(\d+) (\d+)/g)) {
    for (let y = 0; y < scale; y += 1) for (let x = 0; x < scale; x += 1) pixels.fill(0, ((Number(row) * scale + y) * size + Number(column) * scale + x) * 4, ((Number(row) * scale + y) * size + Number(column) * scale + x) * 4 + 3);
  }
  assert.equal(readQr(pixels, size, size)?.data, link);
  await closeWithoutErrors(white);
});

test('arrows and marks are drawn with the right button', async () => {
  const { white, black } = await startTwoPlayerGame({});
  const center = async (name) => { const box = await square(white, name).boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  await white.mouse.move(...await center('e2'));
  await white.mouse.down({ button: 'right' });
  await white.mouse.move(...await center('e4'));
  await white.mouse.up({ button: 'right' });
  assert.equal(await white.locator('.overlay .user .arrow').count(), 1);
  await closeWithoutErrors(white, black);
});

test('without scripts the position is there, and what is needed', async () => {
  const { white, black, id } = await startTwoPlayerGame({});
  const plain = await newPage(browser, { javaScriptEnabled: false });
  await plain.goto(`${server.url}/${id}`);
  await plain.getByRole('img').waitFor();
  assert.match(await plain.locator('#announcer').textContent(), /must run its scripts/);
  await closeWithoutErrors(white, black, plain);
});

test('the page speaks German where that is wanted', async () => {
  const german = await newPage(browser, { locale: 'de-DE' });
  await openPage(german, server.url);
  await german.getByRole('button', { name: 'Jemanden einladen' }).click();
  await german.getByRole('textbox', { name: 'Link zum Verschicken' }).waitFor();
  await german.getByRole('gridcell', { name: 'e2, Bauer (Weiß)' }).waitFor({ state: 'attached' });
  const missing = await german.evaluate(async () => {
    const folder = document.querySelector('script[type="module"]').src.replace(/[^/]*$/, '');
    const [{ english }, { default: own }] = [await import(`${folder}i18n.js`), await import(`${folder}i18n.de.js`)];
    const keys = (words, path) => Object.entries(words).flatMap(([key, value]) => (typeof value === 'string' ? [`${path}${key}`] : keys(value, `${path}${key}.`)));
    const said = new Set(keys(own, ''));
    return keys(english, '').filter((key) => !said.has(key));
  });
  assert.deepEqual(missing, [], 'every word is translated');
  await closeWithoutErrors(german);
});

test('nothing is asked for elsewhere', async () => {
  const page = await newPage(browser);
  const elsewhere = [];
  page.on('request', (request) => { if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url()); });
  for (const path of ['/', '/arbiter', '/rules/atomic', '/connect']) {
    await openPage(page, server.url + path);
    await page.waitForTimeout(300);
  }
  assert.deepEqual(elsewhere, []);
  await closeWithoutErrors(page);
});
