// Screenshots of the page: `node screenshots.mjs DIR [NAMES [WIDTHS [SCHEMES]]]`.

import { mkdirSync } from 'node:fs';
import { Server, launchBrowser, newPage, openPage, playMove, square, startGame, waitForPlies } from './test_server.mjs';

const folder = process.argv[2] ?? 'pictures';
mkdirSync(folder, { recursive: true });
const names = process.argv[3] ? process.argv[3].split(',') : null;
const server = await new Server('--registration', 'open').start();
const browser = await launchBrowser();
const widths = process.argv[4]?.split(',').map(Number);
const schemes = process.argv[5]?.split(',') ?? ['light', 'dark'];
const sizes = [[320, 568], [390, 844], [768, 1024], [1280, 800], [2560, 1440]].filter(([width]) => !widths || widths.includes(width));
const PINNED_FEN = '4r1k1/1p3pbp/p2p2p1/q1pP4/P1P5/2N3P1/1P2BP1P/R2QK2R w KQ - 0 19';
const ATOMIC_FEN = 'r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 4';

try {
for (const colorScheme of schemes) {
  for (const [width, height] of sizes) {
    const isPhone = width < 600;
    const options = { colorScheme, viewport: { width, height }, deviceScaleFactor: isPhone ? 2 : 1 };
    const [white, black] = [await newPage(browser, options), await newPage(browser, options)];
    const takeScreenshot = async (page, name) => {
      if (!names || names.includes(name)) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: ['home', 'arbiter', 'connect'].includes(name) });
    };
    await openPage(white, server.url);
    await white.waitForTimeout(300);
    await takeScreenshot(white, 'home');
    await startGame(server, white, black, { terms: { time: '5+3' } });
    const opening = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'Nxe5', 'Qd4', 'Nf3', 'Qxe4'];
    for (const [ply, san] of opening.entries()) { await playMove(ply % 2 ? black : white, 'type', san); await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]); }
    await white.waitForTimeout(300);
    await takeScreenshot(black, 'game');
    await startGame(server, white, black, { terms: { start: PINNED_FEN, time: '5+3' } });
    await playMove(white, 'drag', 'e2d3');
    await white.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor();
    await white.waitForTimeout(250);
    await takeScreenshot(white, 'refusal');
    await startGame(server, white, black, { terms: { variant: 'atomic', start: ATOMIC_FEN.replace(' w ', ' b '), time: '3+2' } });
    await black.getByRole('button', { name: 'Show the squares' }).click();
    await takeScreenshot(black, 'danger');
    await startGame(server, white, black, { terms: { variant: 'atomic', start: ATOMIC_FEN, time: '3+2' } });
    await square(white, 'g5').click();
    await square(white, 'f7').hover();
    await white.waitForTimeout(250);
    await takeScreenshot(white, 'explosion');
    await square(white, 'f7').click();
    await black.getByText('blown up').waitFor();
    await black.waitForTimeout(700);
    await takeScreenshot(black, 'ended');
    await startGame(server, white, black, { terms: { time: '5+3' } });
    const blunderGame = ['e4', 'e5', 'Nf3', 'd6', 'Bc4', 'Nf6', 'Ng5', 'd5', 'exd5', 'Bc5', 'd6', 'Qxd6', 'Bxf7', 'Ke7', 'd3', 'Rf8', 'Bb3', 'Ng4', 'O-O', 'Nxf2', 'Rxf2', 'Bxf2', 'Kh1', 'h6'];
    for (const [ply, san] of blunderGame.entries()) { await playMove(ply % 2 ? black : white, 'type', san); await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]); }
    await white.getByRole('button', { name: 'Resign' }).click();
    await white.getByRole('button', { name: 'Yes, resign' }).click();
    await black.getByRole('button', { name: 'Where did it turn?' }).click();
    await black.locator('.turning-points .link').first().click({ timeout: 60_000 });
    await black.locator('.graph').scrollIntoViewIfNeeded();
    await black.waitForTimeout(250);
    await takeScreenshot(black, 'review');
    await openPage(white, server.url);
    await white.getByRole('button', { name: 'Invite a friend' }).click();
    await white.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await takeScreenshot(white, 'invite');
    await openPage(black, white.url());
    await takeScreenshot(black, 'join');
    await openPage(white, `${server.url}/arbiter?variant=chess&fen=${encodeURIComponent(PINNED_FEN)}`);
    await white.waitForTimeout(400);
    await takeScreenshot(white, 'arbiter');
    await openPage(white, `${server.url}/connect`);
    await white.getByRole('textbox', { name: 'Name' }).fill(`Anna${width}${colorScheme}`);
    await white.getByLabel('Password').fill('correct horse battery');
    await white.getByRole('button', { name: 'Open an account' }).click();
    await white.getByRole('textbox', { name: 'What it is for' }).fill('my bot on the old laptop');
    await white.getByRole('button', { name: 'Make a token' }).click();
    await white.getByRole('button', { name: /^Revoke/ }).waitFor();
    await takeScreenshot(white, 'connect');
    await openPage(white, `${server.url}/rules/atomic`);
    await white.waitForTimeout(300);
    await takeScreenshot(white, 'rules');
    for (const page of [white, black]) { if (page.errors.length) console.log(page.errors); await page.context().close(); }
  }
}
} finally {
  await browser.close();
  await server.close();
}
