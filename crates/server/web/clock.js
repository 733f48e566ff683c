// Clocks: counted on from what the server said, never set by the browser's own idea of the time.

const DAY = 86_400_000;

/** A time as a clock shows it. */
export function clockText(millis) {
  const left = Math.max(0, millis);
  if (left >= DAY) {
    const hours = Math.floor(left / 3_600_000);
    return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  }
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const two = (number) => String(number).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Both clocks of a table. */
export class Clocks {
  constructor(nodes) {
    this.nodes = nodes;
    this.shown = { white: null, black: null };
    this.running = null;
    this.key = '';
  }

  /** Takes over what the server said. */
  set(model) {
    const { state } = model;
    const has = state.clocks !== null;
    for (const color of ['white', 'black']) this.nodes[color].hidden = !has;
    if (!has) return;
    const running = state.running && !state.flag && !state.held ? state.turn : null;
    const key = `${state.plies} ${running} ${model.isOver}`;
    for (const color of ['white', 'black']) {
      let left = state.clocks[color];
      // While one clock runs on it never shows more than before, but for time that was given.
      const before = this.left(color);
      if (key === this.key && color === running && before !== null && left > before && left - before < 900) left = before;
      this.shown[color] = { left, at: model.heardAt };
      this.nodes[color].classList.toggle('runs', running === color);
      this.nodes[color].classList.toggle('flagged', state.flag === color);
    }
    this.key = key;
    this.running = running;
    this.tick();
  }

  left(color) {
    const shown = this.shown[color];
    if (!shown) return null;
    return this.running === color ? shown.left - (performance.now() - shown.at) : shown.left;
  }

  tick() {
    clearTimeout(this.timer);
    for (const color of ['white', 'black']) {
      const left = this.left(color);
      if (left === null) continue;
      const text = clockText(left);
      if (this.nodes[color].textContent !== text) this.nodes[color].textContent = text;
      this.nodes[color].classList.toggle('low', left < 10_000);
    }
    if (this.running) {
      const left = this.left(this.running);
      if (left <= 0) return;
      const grain = left < 10_100 ? 100 : 1000;
      this.timer = setTimeout(() => this.tick(), Math.max(15, left % grain || grain) + 2);
    }
  }
}
