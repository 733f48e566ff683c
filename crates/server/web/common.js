// Small helpers that every part of the page uses: elements, requests, what is remembered.

/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/**
 * Makes an element: `el('button', { class: 'chip', onclick: f }, 'text', child)`.
 * Properties that begin with `on` are listeners; false and null attributes are left out.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** The same for SVG. */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Shows or hides an element. */
export function show(node, shown = true) {
  if (node) node.hidden = !shown;
}

/** What a server says when it does not do what it was asked. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body?.error ?? `The server answers ${status}.`);
    this.status = status;
    this.reason = body?.reason ?? body?.code ?? '';
    this.squares = body?.squares ?? [];
    this.didYouMean = body?.did_you_mean ?? [];
  }
}

async function ask(path, init) {
  const response = await fetch(path, { credentials: 'same-origin', ...init });
  const text = await response.text();
  let body = null;
  try { body = text ? JSON.parse(text) : null; } catch { body = null; }
  if (!response.ok) throw new Refusal(response.status, body);
  return body ?? text;
}

/** Asks a door for something. */
export const get = (path) => ask(path, { headers: { accept: 'application/json' } });

/** Sends something to a door. */
export const post = (path, body, signal) => ask(path, {
  method: 'POST', signal, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
});

/** Takes something away. */
export const del = (path) => ask(path, { method: 'DELETE' });

/** What this browser remembers; where it may not remember, it forgets. */
export const memory = {
  get(key, usual) {
    try {
      const kept = localStorage.getItem(`touchmove.${key}`);
      return kept === null ? usual : JSON.parse(kept);
    } catch { return usual; }
  },
  set(key, value) {
    try { localStorage.setItem(`touchmove.${key}`, JSON.stringify(value)); } catch { /* it forgets */ }
  },
};

/** When the page as it was sent has been painted, and the men that scripts will put on it are drawn: reading their
 * picture takes a slow phone a tenth of a second, which the first paint does not wait for. A page that nobody sees
 * does not wait, and men that cannot be had keep nobody from the rest. */
export const painted = async () => {
  await new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 250);
  });
  const men = new Image();
  men.src = new URL('men.svg', import.meta.url);
  await men.decode().catch(() => {});
};

/** Whether things should rather not move. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches
  || document.documentElement.dataset.motion === 'none';

/** Puts a text on the clipboard; whether that worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = el('textarea', { class: 'unseen', 'aria-hidden': 'true' }, text);
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

/** Hands a text over as a file. */
export function download(name, text, kind) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A button that does something, says that it is done, and is itself again. */
export function doneButton(label, done, action) {
  const button = el('button', { type: 'button', class: 'quiet' }, label);
  button.addEventListener('click', async () => {
    if (await action() === false) return;
    button.textContent = done;
    setTimeout(() => { button.textContent = label; }, 1600);
  });
  return button;
}

/** Opens a dialog; a click beside it closes it, and closed it is gone. */
export function showDialog(dialog) {
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
}
