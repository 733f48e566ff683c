// A server of its own and a browser for the tests of the page. Everything that is started here is ended here.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = process.env.BROWSER_TOOLS;
const require = createRequire(join(tools, 'package.json'));
const { chromium } = require('playwright-core');

/** The text of axe-core. */
export const axe = require('axe-core').source;
/** A reader of QR codes. */
export const readQr = require('jsqr');

/** A server on a port of its own; `kill` and `start` for those who test what happens in between. */
export class Server {
  constructor(...flags) {
    this.flags = flags;
    this.folder = mkdtempSync(join(tmpdir(), 'touchmove-page-'));
    this.listen = '127.0.0.1:0';
  }

  async start() {
    this.child = spawn(process.env.TOUCHMOVE, ['serve', '--listen', this.listen, '--data', this.folder, ...this.flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = new Promise((done) => { this.child.on('exit', done); });
    this.url = await new Promise((found, lost) => {
      let said = '';
      this.child.stdout.on('data', (data) => {
        said += data;
        const match = said.match(/http:\/\/\S+/);
        if (match) found(match[0].replace(/\/$/, ''));
      });
      this.child.on('exit', () => lost(new Error(`the server ended: ${said}`)));
    });
    // The next start is at the same place.
    this.listen = new URL(this.url).host;
    return this;
  }

  async kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    await this.ended;
  }

  async close() {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The browser. */
export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
});

/** A person: a context of his own with a page; what goes wrong on it is kept in `page.trouble`. */
export async function person(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.trouble = [];
  page.on('console', (message) => { if (message.type() === 'error') page.trouble.push(message.text()); });
  page.on('pageerror', (error) => page.trouble.push(String(error)));
  page.setDefaultTimeout(20_000);
  return page;
}

/** Makes a table from the first page and takes both seats; the players' pages. */
export async function sitDown(server, white, black, { terms = {}, names = ['Anna', 'Ben'] } = {}) {
  const headers = { origin: server.url };
  const made = await white.request.post(`${server.url}/v1/tables`, { headers, data: { terms, side: 'white', name: names[0] } });
  const { game } = await made.json();
  if (!game) throw new Error(`no table: ${await made.text()}`);
  await black.request.post(`${server.url}/v1/tables/${game}/seat`, { headers, data: { name: names[1] } });
  for (const page of [white, black]) await come(page, `${server.url}/${game}`);
  return game;
}

/** Goes to a page and waits until it lives. */
export async function come(page, url) {
  await page.goto(url);
  await page.waitForSelector('html[data-ready="yes"]');
}

/** A square of the board. */
export const square = (page, name) => page.locator(`#board [data-square="${name}"]`);

/** Waits until so many plies are in the list of moves. */
export const plies = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll('#moves button').length === wanted, count);

/** Plays a move by one of the ways there are: `click`, `drag`, `tap`, `type`, `keys`. */
export async function move(page, way, uci) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (way === 'type') {
    await page.getByRole('textbox', { name: 'Your move' }).fill(uci);
    await page.keyboard.press('Enter');
    return;
  }
  if (way === 'click') {
    await square(page, from).click();
    await square(page, to).click();
  }
  if (way === 'tap') {
    await square(page, from).tap();
    await square(page, to).tap();
  }
  if (way === 'keys') {
    await square(page, from).focus();
    await page.keyboard.press('Enter');
    await square(page, to).focus();
    await page.keyboard.press('Enter');
  }
  if (way === 'drag') {
    const middle = async (name) => {
      const box = await square(page, name).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await page.mouse.move(...await middle(from));
    await page.mouse.down();
    await page.mouse.move(...await middle(to), { steps: 6 });
    await page.mouse.up();
  }
}
