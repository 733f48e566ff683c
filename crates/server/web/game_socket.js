// The WebSocket of a table. It reconnects by itself. Commands without an answer are sent again with their ids, so
// that nothing is lost and nothing happens twice.

const CONNECT_TIMEOUT_MS = 8000;
const MAX_RECONNECT_DELAY_MS = 8000;
/** After so long without a message a ping is sent: scripts do not see the pings by which the server checks them. */
const IDLE_PING_DELAY_MS = 20_000;
/** A command without an answer for so long leads to a ping: the connection may be dead. */
const COMMAND_TIMEOUT_MS = 3000;
/** A ping without any message for so long means that the connection is dead. */
const PING_TIMEOUT_MS = 5000;
/** After so long a command is sent again that the server could not handle (`try_again`). */
const RETRY_DELAY_MS = 500;

/** The connection to a table. Calls `onMessage(message)` and `onConnectionChange(isConnected)`. */
export class GameSocket {
  constructor(game, { onMessage, onConnectionChange }) {
    this.game = game;
    this.onMessage = onMessage;
    this.onConnectionChange = onConnectionChange;
    this.lastSeq = null;
    this.unanswered = new Map();
    this.commandCount = 0;
    this.reconnectDelay = 0;
    this.isOpen = false;
    // A command's id must be unique for this player at this table.
    this.idPrefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join('');
    addEventListener('online', () => this.reconnectNow());
    addEventListener('offline', () => this.onConnectionChange(false));
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.reconnectNow(); });
  }

  open() {
    clearTimeout(this.reconnectTimer);
    this.clearTimers();
    this.socket?.close();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const seen = this.lastSeq === null ? '' : `?seen=${this.lastSeq}`;
    const socket = new WebSocket(`${scheme}://${location.host}/v1/tables/${this.game}/live${seen}`);
    this.socket = socket;
    const connectTimer = setTimeout(() => socket.close(), CONNECT_TIMEOUT_MS);
    socket.addEventListener('message', (event) => {
      clearTimeout(connectTimer);
      if (socket !== this.socket) return;
      this.clearTimers();
      this.idleTimer = setTimeout(() => this.sendPing(), IDLE_PING_DELAY_MS);
      this.handle(JSON.parse(event.data));
    });
    socket.addEventListener('close', () => {
      clearTimeout(connectTimer);
      if (socket !== this.socket) return;
      this.isOpen = false;
      this.clearTimers();
      this.onConnectionChange(false);
      this.reconnectTimer = setTimeout(() => this.open(), this.reconnectDelay);
      this.reconnectDelay = Math.min(MAX_RECONNECT_DELAY_MS, (this.reconnectDelay || 200) * 1.7) + Math.random() * 100;
    });
  }

  /** Closes the connection and opens a new one, for example because the seat has changed. */
  reopen() {
    this.isOpen = false;
    this.open();
  }

  /** Stops the timers that wait for a message. */
  clearTimers() {
    clearTimeout(this.idleTimer);
    clearTimeout(this.pingTimer);
    this.pingTimer = null;
  }

  /** Sends a ping: a dead connection shows only by silence. Without an answer the connection is opened again. */
  sendPing() {
    if (!this.isOpen || this.pingTimer) return;
    this.sendWithoutAnswer({ command: 'ping' });
    this.pingTimer = setTimeout(() => {
      this.onConnectionChange(false);
      this.reopen();
    }, PING_TIMEOUT_MS);
  }

  /** Checks the connection if it is open, and opens it at once if it is not. */
  reconnectNow() {
    if (this.isOpen) { this.sendPing(); return; }
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    this.reconnectDelay = 0;
    this.open();
  }

  handle(message) {
    if (message.type === 'state' || message.type === 'decided') {
      if (typeof message.state?.seq === 'number') this.lastSeq = message.state.seq;
    }
    if (message.type === 'state' && !this.isOpen) {
      this.isOpen = true;
      this.reconnectDelay = 0;
      this.onConnectionChange(true);
      this.onMessage(message);
      for (const { text } of this.unanswered.values()) this.socket.send(text);
      return;
    }
    if (message.type === 'answer' && message.reason === 'try_again') {
      const command = this.unanswered.get(message.id);
      if (command) setTimeout(() => this.isOpen && this.socket.send(command.text), RETRY_DELAY_MS);
      return;
    }
    if (message.type === 'answer' && message.id) {
      const command = this.unanswered.get(message.id);
      this.unanswered.delete(message.id);
      this.onMessage(message);
      command?.resolve(message);
      return;
    }
    this.onMessage(message);
  }

  /** Sends a command. The promise resolves to its answer. */
  send(command) {
    this.commandCount += 1;
    const id = `${this.idPrefix}${this.commandCount}`;
    const text = JSON.stringify({ ...command, id });
    return new Promise((resolve) => {
      this.unanswered.set(id, { text, resolve });
      if (this.isOpen) this.socket.send(text);
      setTimeout(() => { if (this.unanswered.has(id)) this.sendPing(); }, COMMAND_TIMEOUT_MS);
    });
  }

  /** Sends a message to which the server sends no answer with an id. It is dropped while there is no connection. */
  sendWithoutAnswer(command) {
    if (this.isOpen) this.socket.send(JSON.stringify(command));
  }
}
