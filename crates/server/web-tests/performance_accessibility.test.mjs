// Performance and accessibility: bytes, time to paint, layout shifts, latency of moves, axe-core, sizes of touch targets.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, axeSource, launchBrowser, newPage, openPage, playMove, square, startGame, waitForPlies } from './test_server.mjs';

let server;
let browser;
before(async () => { server = await new Server('--registration', 'open').start(); browser = await launchBrowser(); });
after(async () => { await browser?.close(); await server?.close(); });

/** Checks that axe-core finds nothing on a page. */
async function assertAccessible(page, what) {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join(' | ')}`));
  assert.deepEqual(violations, [], what);
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in any state, ${colorScheme}`, async () => {
    const options = { colorScheme, reducedMotion: 'reduce' };
    const [white, black, watcher] = [await newPage(browser, options), await newPage(browser, { ...options, viewport: { width: 390, height: 844 } }), await newPage(browser, options)];
    await openPage(white, server.url);
    await assertAccessible(white, 'home');
    await white.getByText('More terms').click();
    await assertAccessible(white, 'home, all terms');
    await white.getByRole('button', { name: 'Settings' }).click();
    await assertAccessible(white, 'settings');
    await white.keyboard.press('Escape');
    await white.getByRole('button', { name: 'Invite a friend' }).click();
    await white.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await assertAccessible(white, 'inviting');
    await openPage(black, white.url());
    await assertAccessible(black, 'joining');
    const terms = { variant: 'atomic', time: '3+2', start: 'r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 1' };
    const id = await startGame(server, white, black, { terms });
    await openPage(watcher, `${server.url}/${id}`);
    for (const page of [white, black, watcher]) await assertAccessible(page, 'a game');
    await watcher.getByRole('button', { name: 'Keep and share' }).click();
    await assertAccessible(watcher, 'keeping a game');
    await watcher.keyboard.press('Escape');
    await playMove(white, 'type', 'Ke3');
    await white.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor();
    await assertAccessible(white, 'a refusal');
    await square(white, 'g5').click();
    await square(white, 'f7').hover();
    await assertAccessible(white, 'an explosion in preview');
    await white.getByRole('button', { name: 'Offer a draw' }).click();
    await white.getByRole('button', { name: 'Resign' }).click();
    await assertAccessible(white, 'a second thought');
    await white.getByRole('button', { name: 'Yes, resign' }).click();
    await black.getByRole('button', { name: 'Rematch' }).waitFor();
    for (const page of [white, black, watcher]) await assertAccessible(page, 'after the game');
    const promoting = await startGame(server, white, black, { terms: { start: '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' } });
    assert.ok(promoting);
    await playMove(white, 'click', 'a7a8');
    await white.getByRole('dialog', { name: 'Promote to' }).waitFor();
    await assertAccessible(white, 'promoting');
    const dangerous = await startGame(server, white, black, { terms: { variant: 'atomic', start: '8/3p4/4k3/4K3/8/8/8/3R4 b - - 0 1' } });
    assert.ok(dangerous);
    await white.getByRole('button', { name: 'Show the squares' }).last().click();
    await assertAccessible(white, 'a king in danger');
    await playMove(white, 'click', 'd1d2');
    await assertAccessible(white, 'a premove');
    await openPage(white, `${server.url}/arbiter`);
    await assertAccessible(white, 'the arbiter');
    await openPage(white, `${server.url}/arbiter?fen=8/8/8/8/8/8/8/P6P%20w%20KQ%20-%200%201`);
    await assertAccessible(white, 'the arbiter, with faults');
    await openPage(white, `${server.url}/connect`);
    await assertAccessible(white, 'signing in');
    await white.getByRole('textbox', { name: 'Name' }).fill(`Anna-${colorScheme}`);
    await white.getByLabel('Password').fill('correct horse battery');
    await white.getByRole('button', { name: 'Open an account' }).click();
    await white.getByText('Change the password').click();
    await assertAccessible(white, 'signed in');
    await white.getByRole('button', { name: 'Make a token' }).click();
    await white.getByRole('textbox', { name: 'Your token' }).waitFor();
    await white.getByRole('button', { name: 'Revoke: without a name' }).click();
    await assertAccessible(white, 'a token');
    await openPage(white, server.url);
    await white.getByRole('link', { name: /^Signed in as/ }).waitFor();
    await white.getByText('More terms').click();
    await assertAccessible(white, 'home, signed in');
    await openPage(white, `${server.url}/arbiter`);
    await white.getByText('Castling and en passant').click();
    await white.getByRole('button', { name: 'Who can still win?' }).click();
    await white.getByRole('button', { name: 'Show the line' }).first().waitFor();
    await assertAccessible(white, 'the arbiter, with everything');
    await white.request.delete(`${server.url}/v1/session`, { headers: { origin: server.url } });
    await openPage(white, `${server.url}/rules/atomic`);
    await assertAccessible(white, 'the laws');
    await white.goto(`${server.url}/nosuchtb`);
    await assertAccessible(white, 'no such table');
    for (const page of [white, black, watcher]) await page.context().close();
  });
}

/** Measures what a page loads and when it is painted, as on a slow phone. */
async function measureVisit(url, latency, rate) {
  const page = await newPage(browser, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  page.setDefaultTimeout(60_000);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  let bytes = 0;
  let requests = 0;
  devtools.on('Network.loadingFinished', (event) => { bytes += event.encodedDataLength; requests += 1; });
  await page.addInitScript(() => {
    globalThis.shift = 0;
    globalThis.moved = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)) {
        globalThis.shift += entry.value;
        for (const { node, previousRect, currentRect } of entry.sources) globalThis.moved.push(`${node?.nodeName} ${node?.id ?? ''} from ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    const waitForBoard = () => {
      if (document.querySelector('.pieces .piece, svg.still')) requestAnimationFrame(() => { globalThis.boardAt = performance.now(); }); else setTimeout(waitForBoard, 4);
    };
    waitForBoard();
  });
  await page.goto(url);
  await page.waitForSelector('html[data-ready="yes"]');
  await page.waitForTimeout(1500);
  const figures = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime, board: globalThis.boardAt, shift: globalThis.shift, moved: globalThis.moved,
  }));
  await page.context().close();
  // A board that is in the page when it is first painted is painted then.
  return { bytes, requests, ...figures, painted: Math.max(figures.paint, figures.board) };
}

/** How much this browser must be slowed down to be four times slower than on the machine that the limits were chosen
 * on, where this work takes 32 ms. A slow machine is slowed down less, none is slowed down more. */
async function measureSlowdown() {
  const page = await newPage(browser);
  await page.goto(server.url);
  const work = await page.evaluate(() => Math.min(...Array.from({ length: 20 }, () => {
    const from = performance.now();
    Array.from({ length: 60_000 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(36)).sort();
    return performance.now() - from;
  })));
  await page.context().close();
  return { work, slowdown: Math.min(4, Math.max(1, 4 * 32 / work)) };
}

/** Measures the CPU time on the page's thread until the first paint, which other load on the machine does not change,
 * and the bytes until then. */
async function measureWork(url) {
  const page = await newPage(browser, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  page.setDefaultTimeout(60_000);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'loading', 'disabled-by-default-devtools.timeline'] });
  await page.goto(url);
  await page.waitForSelector('html[data-ready="yes"]');
  const bytes = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.css'))]
    .reduce((sum, { transferSize }) => sum + transferSize, 0));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await page.context().close();
  const paint = traceEvents.filter(({ name }) => name === 'firstContentfulPaint').at(-1);
  const tasks = traceEvents.filter(({ name, ph, pid, tid, ts }) => name === 'RunTask' && ph === 'X' && pid === paint?.pid && tid === paint.tid && ts < paint.ts);
  return { bytes, cpuMs: tasks.reduce((sum, task) => sum + (task.tdur ?? 0), 0) / 1000 };
}

/** Estimates as Lighthouse does when the board would be painted on a machine without other load: the round trips of
 * the page and of its style sheet, their bytes, and the CPU time, slowed down. */
async function estimatePaint(url) {
  const tries = [];
  for (let i = 0; i < 4; i += 1) tries.push(await measureWork(url));
  const cpuMs = Math.min(...tries.map((one) => one.cpuMs));
  const { bytes } = tries[0];
  return { cpuMs, at: (latency, rate) => 2 * latency + bytes / 200 + cpuMs * rate };
}

test('a first visit is small, quick and steady on a slow phone', async (t) => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  const id = await startGame(server, white, black, { terms: { time: '5+3' } });
  const { work, slowdown } = await measureSlowdown();
  t.diagnostic(`slowed down ${slowdown.toFixed(1)}×, for the work of 32 ms takes ${Math.round(work)} ms here`);
  for (const [name, url] of [['home', server.url], ['table', `${server.url}/${id}`], ['arbiter', `${server.url}/arbiter`]]) {
    const estimate = await estimatePaint(url);
    for (const latency of [20, 150]) {
      // The best of three to twelve: the figure is the page's, not that of what else this machine does.
      const tries = [];
      for (let i = 0; i < 12 && (i < 3 || tries[0].painted > 1000); i += 1) {
        tries.push(await measureVisit(url, latency, slowdown));
        tries.sort((a, b) => a.painted - b.painted);
      }
      const [{ bytes, requests, paint, painted, shift }] = tries;
      const estimatedMs = estimate.at(latency, 4);
      t.diagnostic(`${name}, 1.6 Mbit/s, ${latency} ms: ${(bytes / 1000).toFixed(1)} kB in ${requests} requests, `
        + `first paint ${Math.round(paint)} ms, board painted ${Math.round(painted)} ms (of ${tries.map((one) => Math.round(one.painted)).join(', ')}), layout shift ${shift.toFixed(4)}; `
        + `estimated from ${Math.round(estimate.cpuMs)} ms of work ${Math.round(estimatedMs)} ms`);
      assert.ok(estimatedMs <= 850, `${name}: by its bytes and its work it would be painted after ${estimatedMs} ms`);
      assert.ok(painted <= 1000, `${name}: the board is painted after ${painted} ms`);
      assert.ok(tries.every((one) => one.bytes <= 120_000), `${name}: ${bytes} bytes`);
      for (const one of tries) assert.ok(one.shift < 0.001, `${name}: shift ${one.shift}: ${one.moved.join('; ')}`);
    }
  }
  for (const page of [white, black]) await page.context().close();
});

test('a move is on the own board and on the other at once', async (t) => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  await startGame(server, white, black, { terms: { time: '5+3' } });
  const recordTimes = (page) => page.evaluate(() => {
    globalThis.times = [];
    const grid = document.querySelector('#board [role="grid"]');
    new MutationObserver(() => { globalThis.times.push(Date.now()); }).observe(grid, { subtree: true, attributes: true, attributeFilter: ['data-piece'] });
    document.addEventListener('keydown', () => { globalThis.pressedAt = Date.now(); }, true);
    document.addEventListener('pointerup', () => { globalThis.pressedAt = Date.now(); }, true);
  });
  await recordTimes(white);
  await recordTimes(black);
  const own = [];
  const theirs = [];
  const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'f8c5', 'e1g1', 'g8f6', 'd2d3', 'd7d6'];
  for (const [ply, uci] of moves.entries()) {
    const [mover, other] = ply % 2 ? [black, white] : [white, black];
    for (const page of [white, black]) await page.evaluate(() => { globalThis.times = []; });
    await playMove(mover, 'type', uci);
    await Promise.all([waitForPlies(white, ply + 1), waitForPlies(black, ply + 1)]);
    const [pressed, shown] = await mover.evaluate(() => [globalThis.pressedAt, globalThis.times[0]]);
    own.push(shown - pressed);
    theirs.push(await other.evaluate(() => globalThis.times[0]) - pressed);
  }
  const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];
  t.diagnostic(`key press to own board: median ${median(own)} ms, worst ${Math.max(...own)} ms; to the other board: median ${median(theirs)} ms, worst ${Math.max(...theirs)} ms`);
  assert.ok(median(own) <= 50 && median(theirs) <= 100);
  for (const page of [white, black]) await page.context().close();
});

test('everything fits from a small phone to a large screen, and touch targets are large', async () => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  const id = await startGame(server, white, black, { terms: { time: '5+3' } });
  await playMove(white, 'type', 'e4');
  await waitForPlies(black, 1);
  await playMove(black, 'type', 'e5');
  await waitForPlies(white, 2);
  for (const [width, height] of [[320, 568], [390, 844], [568, 320], [844, 390], [640, 400], [768, 1024], [1280, 800], [2560, 1440]]) {
    await white.setViewportSize({ width, height });
    for (const path of ['/', `/${id}`, '/arbiter', '/rules/chess', '/connect']) {
      await openPage(white, server.url + path);
      const wide = await white.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${path} at ${width}: ${wide} px too wide`);
      const small = await white.evaluate(() => [...document.querySelectorAll('button, a.button, .page-header a, .page-footer a, .chip, .checkbox, select, .field, summary')].filter((node) => {
        const box = node.getBoundingClientRect();
        // The squares of the board are as large as the window lets them be.
        return box.width > 0 && !node.closest('.squares') && (box.height < 43.5 || box.width < 43.5);
      }).map((node) => `${node.id || node.textContent || node.className} ${Math.round(node.getBoundingClientRect().width)}×${Math.round(node.getBoundingClientRect().height)}`));
      assert.deepEqual(small, [], `${path} at ${width}`);
    }
    const board = await openPage(white, `${server.url}/${id}`).then(() => white.locator('#board').boundingBox());
    assert.ok(board.width >= Math.min(width, height) * 0.55, `the board is ${board.width} at ${width}×${height}`);
    assert.ok(board.y + board.height <= height + 1, `the board is in sight at ${width}×${height}`);
  }
  for (const page of [white, black]) await page.context().close();
});

test('at twice the size nothing is cut off', async () => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  const id = await startGame(server, white, black, { terms: { time: '5+3' } });
  // A window of 1280×800 at 200 % is one of 640×400.
  await white.setViewportSize({ width: 640, height: 400 });
  for (const path of ['/', `/${id}`, '/arbiter', '/rules/atomic', '/connect']) {
    await openPage(white, server.url + path);
    const wide = await white.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${path}: ${wide} px too wide`);
  }
  await openPage(white, `${server.url}/${id}`);
  await playMove(white, 'click', 'e2e4');
  await waitForPlies(white, 1);
  await white.getByRole('button', { name: 'Resign' }).scrollIntoViewIfNeeded();
  for (const page of [white, black]) await page.context().close();
});

test('nothing jumps on the first page when there are games to show', async () => {
  const [white, black] = [await newPage(browser), await newPage(browser)];
  const headers = { origin: server.url };
  for (const data of [{ public: true }, { public: true, terms: { variant: 'atomic' } }]) {
    const { game } = await (await white.request.post(`${server.url}/v1/tables`, { headers, data: { side: 'white', name: 'Anna', ...data } })).json();
    await black.request.post(`${server.url}/v1/tables/${game}/seat`, { headers, data: { name: 'Ben' } });
  }
  await white.request.post(`${server.url}/v1/tables`, { headers, data: { public: true, name: 'Anna' } });
  for (const viewport of [{ width: 1280, height: 800 }, { width: 2560, height: 1440 }, { width: 390, height: 844 }]) {
    await black.setViewportSize(viewport);
    await black.addInitScript(() => {
      globalThis.shift = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });
    });
    await openPage(black, server.url);
    await black.getByRole('link', { name: /^Watch: / }).first().waitFor();
    await black.getByRole('link', { name: 'Join: Anna' }).waitFor();
    await black.waitForTimeout(300);
    const shift = await black.evaluate(() => globalThis.shift);
    assert.ok(shift < 0.001, `${viewport.width}: ${shift}`);
  }
  for (const page of [white, black]) await page.context().close();
});
