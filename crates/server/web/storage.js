// What this browser remembers, in localStorage.

/** Values under keys of their own. Where the browser may not store anything, they are forgotten. */
export const storage = {
  get(key, fallback) {
    try {
      const text = localStorage.getItem(`touchmove.${key}`);
      return text === null ? fallback : JSON.parse(text);
    } catch { return fallback; }
  },
  set(key, value) {
    try { localStorage.setItem(`touchmove.${key}`, JSON.stringify(value)); } catch { /* storage is full or forbidden */ }
  },
};
