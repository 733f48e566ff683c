// A server and a browser for the tests of the page, and what the tests do on it. Everything that is started here is
// stopped here.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = process.env.BROWSER_TOOLS;
const require = createRequire(join(tools, 'package.json'));
const { chromium } = require('playwright-core');

/** The script of axe-core, which checks accessibility. */
export const axeSource = require('axe-core').source;
/** A reader of QR codes. */
export const readQr = require('jsqr');

/** A server on a free port with an empty data folder. After `kill` it can be started again at the same address. */
export class Server {
  constructor(...flags) {
    this.flags = flags;
    this.folder = mkdtempSync(join(tmpdir(), 'touchmove-page-'));
    this.listen = '127.0.0.1:0';
  }

  async start() {
    this.child = spawn(process.env.TOUCHMOVE, ['serve', '--listen', this.listen, '--data', this.folder, ...this.flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.exited = new Promise((resolve) => { this.child.on('exit', resolve); });
    this.url = await new Promise((resolve, reject) => {
      let output = '';
      this.child.stdout.on('data', (data) => {
        output += data;
        const match = output.match(/http:\/\/\S+/);
        if (match) resolve(match[0].replace(/\/$/, ''));
      });
      this.child.on('exit', () => reject(new Error(`the server exited: ${output}`)));
    });
    // The next start listens at the same address.
    this.listen = new URL(this.url).host;
    return this;
  }

  async kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    await this.exited;
  }

  async close() {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts the browser. */
export const launchBrowser = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
});

/** A page in a browser context of its own, as another person has it; its errors are collected in `page.errors`. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on('console', (message) => { if (message.type() === 'error') page.errors.push(message.text()); });
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.setDefaultTimeout(20_000);
  return page;
}

/** Makes a table, takes both seats and opens it on both pages. Returns its id. */
export async function startGame(server, white, black, { terms = {}, names = ['Anna', 'Ben'] } = {}) {
  const headers = { origin: server.url };
  const response = await white.request.post(`${server.url}/v1/tables`, { headers, data: { terms, side: 'white', name: names[0] } });
  const { game } = await response.json();
  if (!game) throw new Error(`no table: ${await response.text()}`);
  await black.request.post(`${server.url}/v1/tables/${game}/seat`, { headers, data: { name: names[1] } });
  for (const page of [white, black]) await openPage(page, `${server.url}/${game}`);
  return game;
}

/** Goes to an address and waits until its scripts have run. */
export async function openPage(page, url) {
  await page.goto(url);
  await page.waitForSelector('html[data-ready="yes"]');
}

/** A square of the board. */
export const square = (page, name) => page.locator(`#board [data-square="${name}"]`);

/** Waits until so many plies are in the list of moves. */
export const waitForPlies = (page, count) => page.waitForFunction((expected) => document.querySelectorAll('#moves button').length === expected, count);

/** Plays a move by one kind of input: `click`, `drag`, `tap`, `type`, `keys`. */
export async function playMove(page, input, uci) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (input === 'type') {
    await page.getByRole('textbox', { name: 'Your move' }).fill(uci);
    await page.keyboard.press('Enter');
    return;
  }
  if (input === 'click') {
    await square(page, from).click();
    await square(page, to).click();
  }
  if (input === 'tap') {
    await square(page, from).tap();
    await square(page, to).tap();
  }
  if (input === 'keys') {
    await square(page, from).focus();
    await page.keyboard.press('Enter');
    await square(page, to).focus();
    await page.keyboard.press('Enter');
  }
  if (input === 'drag') {
    const center = async (name) => {
      const box = await square(page, name).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await page.mouse.move(...await center(from));
    await page.mouse.down();
    await page.mouse.move(...await center(to), { steps: 6 });
    await page.mouse.up();
  }
}
