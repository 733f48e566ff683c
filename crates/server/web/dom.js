// Helpers for the document: elements, dialogs, the clipboard, downloads.

const MAX_FIRST_PAINT_WAIT_MS = 250;
const DONE_LABEL_MS = 1600;
const OBJECT_URL_LIFETIME_MS = 10_000;

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
export function show(node, isShown = true) {
  if (node) node.hidden = !isShown;
}

/**
 * Waits until the page as the server sent it is painted and the image of the pieces is decoded. Decoding takes a slow
 * phone a tenth of a second, which would delay the first paint. In a hidden tab there are no frames, so the wait ends
 * by a timeout; if the image cannot be loaded, the page starts without it.
 */
export const firstPaint = async () => {
  await new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MAX_FIRST_PAINT_WAIT_MS);
  });
  const pieces = new Image();
  pieces.src = new URL('pieces.svg', import.meta.url);
  await pieces.decode().catch(() => {});
};

/** Whether the system or the settings ask for less motion. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches
  || document.documentElement.dataset.motion === 'none';

/** Copies a text to the clipboard. Returns whether that worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = el('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' }, text);
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    return isCopied;
  }
}

/** Saves a text as a file. */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), OBJECT_URL_LIFETIME_MS);
}

/** A button that shows another label for a moment after its action has succeeded. */
export function doneButton(label, doneLabel, action) {
  const button = el('button', { type: 'button', class: 'quiet' }, label);
  button.addEventListener('click', async () => {
    if (await action() === false) return;
    button.textContent = doneLabel;
    setTimeout(() => { button.textContent = label; }, DONE_LABEL_MS);
  });
  return button;
}

/** Opens a dialog. A click outside closes it; once closed it is removed. */
export function showDialog(dialog) {
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
}
