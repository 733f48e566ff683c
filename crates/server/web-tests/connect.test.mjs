// Accounts on the page, tokens for programs, and what to write into the settings of clients.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server, launchBrowser, newPage, openPage } from './test_server.mjs';

let server;
let serverWithoutRegistration;
let browser;
before(async () => { server = await new Server('--registration', 'open').start(); serverWithoutRegistration = await new Server().start(); browser = await launchBrowser(); });
after(async () => { await browser?.close(); await server?.close(); await serverWithoutRegistration?.close(); });

const PASSWORD = 'correct horse battery';

/** Opens an account; afterwards the page is signed in. */
async function openAccount(page, name) {
  await openPage(page, `${server.url}/connect`);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Open an account' }).click();
  await page.getByText('You are signed in as').waitFor();
}

test('an account is opened, a token is made, shown once, used and revoked', async () => {
  const page = await newPage(browser);
  await openPage(page, server.url);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Connect a bot or a client' }).click();
  await page.getByRole('heading', { name: 'Connect a bot or a client' }).waitFor();
  await openAccount(page, 'Anna');
  await page.getByRole('textbox', { name: 'What it is for' }).fill('my <b>bot</b>');
  await page.getByRole('checkbox', { name: 'play as a bot' }).uncheck();
  await page.getByRole('button', { name: 'Make a token' }).click();
  const token = await page.getByRole('textbox', { name: 'Your token' }).inputValue();
  assert.match(token, /^tm_\w{20,}$/);
  // The settings to copy have the address and the token.
  for (const name of ['berserk', 'lichess-bot', 'cli-chess']) {
    const text = await page.getByRole('region', { name, exact: true }).locator('pre').textContent();
    assert.ok(text.includes(server.url) && text.includes(token), text);
  }
  const asked = await fetch(`${server.url}/api/account`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await asked.json()).username, 'Anna');
  const row = page.getByRole('listitem').filter({ hasText: 'my <b>bot</b>' });
  assert.ok(!(await row.textContent()).includes('bot:play'));
  // It is shown only once.
  await openPage(page, `${server.url}/connect`);
  await row.waitFor();
  assert.ok(!(await page.content()).includes(token));
  await row.getByRole('button', { name: /Revoke/ }).click();
  await page.getByRole('button', { name: 'Yes, revoke it' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal((await fetch(`${server.url}/api/account`, { headers: { authorization: `Bearer ${token}` } })).status, 401);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('settings are copied', async () => {
  const page = await newPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openPage(page, `${server.url}/connect`);
  await page.getByRole('button', { name: 'Copy for lichess-bot' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(`url: "${server.url}/"`));
  await page.context().close();
});

test('one signs in and out, changes the password, and plays under the name of the account', async () => {
  const page = await newPage(browser);
  await openAccount(page, 'Bea');
  await page.getByText('Change the password').click();
  await page.getByLabel('Password until now').fill(PASSWORD);
  await page.getByLabel('New password').fill('another long password');
  await page.getByRole('button', { name: 'Change it' }).click();
  await page.getByText('The password is changed').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bea');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill('another long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You are signed in as').waitFor();
  await openPage(page, server.url);
  await page.getByRole('link', { name: 'Signed in as Bea' }).waitFor();
  await page.getByRole('button', { name: 'Invite a friend' }).click();
  await page.locator('.player .name').filter({ hasText: 'Bea' }).waitFor();
  assert.deepEqual(page.errors.filter((line) => !/40[13]/.test(line)), []);
  await page.context().close();
});

test('where the host makes the accounts, the page says so', async () => {
  const page = await newPage(browser);
  await openPage(page, `${serverWithoutRegistration.url}/connect`);
  await page.getByText('the host of this server makes it').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Open an account' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Make a token' }).count(), 0);
  await page.context().close();
});

test('a program that asks in the browser is answered after signing in', async () => {
  const page = await newPage(browser);
  await openAccount(page, 'Cleo');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const query = new URLSearchParams({ response_type: 'code', client_id: 'my app', redirect_uri: 'http://localhost:9/back', code_challenge_method: 'S256', code_challenge: 'a'.repeat(43), scope: 'board:play', state: 'x&y' });
  await page.goto(`${server.url}/oauth?${query}`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Cleo');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('state'), 'x&y');
  // Nobody is led elsewhere by such an address.
  await openPage(page, `${server.url}/connect`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await openPage(page, `${server.url}/connect?next=${encodeURIComponent('https://evil.example/')}`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Cleo');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You are signed in as').waitFor();
  assert.equal(new URL(page.url()).origin, server.url);
  await page.context().close();
});

test('people with accounts challenge each other by name, also by the link of a challenge', async () => {
  const [dora, emil, guest] = [await newPage(browser), await newPage(browser), await newPage(browser)];
  await openAccount(dora, 'Dora');
  await openAccount(emil, 'Emil');
  await openPage(dora, server.url);
  await openPage(emil, server.url);
  await dora.getByText('More terms').click();
  await dora.getByRole('textbox', { name: 'Challenge by name' }).fill('emil');
  await dora.getByRole('button', { name: 'Invite a friend' }).click();
  await dora.getByRole('status').getByText('is challenged').waitFor();
  await emil.getByText('Dora challenges you').waitFor();
  await emil.getByRole('button', { name: 'Decline: Dora' }).click();
  await dora.getByText('The challenge was declined').waitFor();
  await dora.getByRole('textbox', { name: 'Challenge by name' }).fill('Emil');
  await dora.getByRole('button', { name: 'Invite a friend' }).click();
  await emil.getByText('Dora challenges you').waitFor();
  const { challenges } = await (await emil.request.get(`${server.url}/v1/challenges`)).json();
  await openPage(guest, `${server.url}/${challenges[0].id}`);
  await guest.getByText('sign in to answer it').waitFor();
  await emil.getByRole('button', { name: 'Accept: Dora' }).click();
  for (const page of [dora, emil]) await page.waitForURL((url) => url.pathname.length === 9);
  await dora.locator('.player .name').filter({ hasText: 'Emil' }).waitFor();
  for (const page of [dora, emil, guest]) { assert.deepEqual(page.errors, []); await page.context().close(); }
});
