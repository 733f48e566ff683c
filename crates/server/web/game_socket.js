// The live connection to a table: one WebSocket that comes back by itself. Commands without an answer are sent again
// with their ids, so that nothing is lost and nothing happens twice.

const SLOWEST = 8000;
/** How long nothing is heard before one asks, how long an answer may take to a command, and to that question. */
const QUIET = 20_000;
const PATIENCE = 3000;
const LAST = 5000;

/** Hears `{message(data), connected(isConnected)}`. */
export class Live {
  constructor(game, listener) {
    this.game = game;
    this.listener = listener;
    this.seen = null;
    this.waiting = new Map();
    this.count = 0;
    this.delay = 0;
    this.isOpen = false;
    this.isClosed = false;
    // An id is unique for this player at this table.
    this.prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join('');
    addEventListener('online', () => this.hurry());
    addEventListener('offline', () => this.listener.connected(false));
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.hurry(); });
  }

  open() {
    clearTimeout(this.timer);
    this.hush();
    this.socket?.close();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const seen = this.seen === null ? '' : `?seen=${this.seen}`;
    const socket = new WebSocket(`${scheme}://${location.host}/v1/tables/${this.game}/live${seen}`);
    this.socket = socket;
    const slow = setTimeout(() => socket.close(), SLOWEST);
    socket.addEventListener('message', (event) => {
      clearTimeout(slow);
      if (socket !== this.socket) return;
      this.hush();
      this.quiet = setTimeout(() => this.ask(), QUIET);
      this.hear(JSON.parse(event.data));
    });
    socket.addEventListener('close', () => {
      clearTimeout(slow);
      if (socket !== this.socket || this.isClosed) return;
      this.isOpen = false;
      this.hush();
      this.listener.connected(false);
      this.timer = setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(8000, (this.delay || 200) * 1.7) + Math.random() * 100;
    });
  }

  /** Opens again, for the seat may have changed. */
  again() {
    this.isOpen = false;
    this.open();
  }

  /** Nothing is waited for. */
  hush() {
    clearTimeout(this.quiet);
    clearTimeout(this.doubt);
    this.doubt = null;
  }

  /** Asks whether anybody is there: a line that is dead does not say so. Without an answer it is opened again. */
  ask() {
    if (!this.isOpen || this.doubt) return;
    this.tell({ command: 'ping' });
    this.doubt = setTimeout(() => {
      this.listener.connected(false);
      this.again();
    }, LAST);
  }

  hurry() {
    if (this.isOpen) { this.ask(); return; }
    if (this.isClosed || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.delay = 0;
    this.open();
  }

  hear(message) {
    if (message.type === 'state' || message.type === 'decided') {
      if (typeof message.state?.seq === 'number') this.seen = message.state.seq;
    }
    if (message.type === 'state' && !this.isOpen) {
      this.isOpen = true;
      this.delay = 0;
      this.listener.connected(true);
      this.listener.message(message);
      for (const { text } of this.waiting.values()) this.socket.send(text);
      return;
    }
    if (message.type === 'answer' && message.id && message.reason !== 'try_again') {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      this.listener.message(message);
      waiting?.done(message);
      return;
    }
    if (message.type === 'answer' && message.reason === 'try_again') {
      const waiting = this.waiting.get(message.id);
      if (waiting) setTimeout(() => this.isOpen && this.socket.send(waiting.text), 500);
      return;
    }
    this.listener.message(message);
  }

  /** Sends a command; the promise is its answer. */
  send(command) {
    this.count += 1;
    const id = `${this.prefix}${this.count}`;
    const text = JSON.stringify({ ...command, id });
    return new Promise((done) => {
      this.waiting.set(id, { text, done });
      if (this.isOpen) this.socket.send(text);
      setTimeout(() => { if (this.waiting.has(id)) this.ask(); }, PATIENCE);
    });
  }

  /** Sends something to which there is no answer. */
  tell(command) {
    if (this.isOpen) this.socket.send(JSON.stringify(command));
  }
}
