// Clocks: they count on from the times that the server sent; the browser's own date is never used.

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Below this a clock shows tenths of a second, and is marked as low. */
const LOW_TIME_MS = 10_000;
/** Within one position a running clock is not raised by less than this: such a difference comes from the network. */
const MAX_JITTER_MS = 900;

/** A time as a clock shows it. */
function clockText(millis) {
  const left = Math.max(0, millis);
  if (left >= DAY_MS) {
    const hours = Math.floor(left / HOUR_MS);
    return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  }
  if (left < LOW_TIME_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const two = (number) => String(number).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Both clocks of a table. */
export class Clocks {
  constructor(nodes) {
    this.nodes = nodes;
    this.times = { white: null, black: null };
    this.running = null;
    this.key = '';
  }

  /** Takes over the times of the latest message. */
  update(model) {
    const { state } = model;
    const hasClocks = state.clocks !== null;
    for (const color of ['white', 'black']) this.nodes[color].hidden = !hasClocks;
    if (!hasClocks) return;
    const running = state.running && !state.flag && !state.held ? state.turn : null;
    const key = `${state.plies} ${running} ${model.isOver}`;
    for (const color of ['white', 'black']) {
      let left = state.clocks[color];
      // A running clock never shows more than before, except after a gift of time.
      const before = this.left(color);
      if (key === this.key && color === running && before !== null && left > before && left - before < MAX_JITTER_MS) left = before;
      this.times[color] = { left, at: model.receivedAt };
      this.nodes[color].classList.toggle('running', running === color);
      this.nodes[color].classList.toggle('flagged', state.flag === color);
    }
    this.key = key;
    this.running = running;
    this.tick();
  }

  left(color) {
    const time = this.times[color];
    if (!time) return null;
    return this.running === color ? time.left - (performance.now() - time.at) : time.left;
  }

  tick() {
    clearTimeout(this.timer);
    for (const color of ['white', 'black']) {
      const left = this.left(color);
      if (left === null) continue;
      const text = clockText(left);
      if (this.nodes[color].textContent !== text) this.nodes[color].textContent = text;
      this.nodes[color].classList.toggle('low', left < LOW_TIME_MS);
    }
    if (this.running) {
      const left = this.left(this.running);
      if (left <= 0) return;
      const step = left < LOW_TIME_MS + 100 ? 100 : 1000;
      this.timer = setTimeout(() => this.tick(), Math.max(15, left % step || step) + 2);
    }
  }
}
