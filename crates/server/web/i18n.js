// Translations: all texts of the page. English is complete; other languages are files of the same form, and what they
// lack is shown in English. The law book's sentences come from the server.

import { storage } from './storage.js';

/** English, which is complete. */
export const english = {
  pieces: { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' },
  Pieces: { k: 'King', q: 'Queen', r: 'Rook', b: 'Bishop', n: 'Knight', p: 'Pawn' },
  colors: { white: 'white', black: 'black' },
  Colors: { white: 'White', black: 'Black' },
  variants: { chess: 'Chess', chess960: 'Chess960', atomic: 'Atomic', 'simple-atomic': 'Simple Atomic' },
  variantLines: {
    chess: "The game that everybody knows, by FIDE's Laws.",
    chess960: 'The pieces behind the pawns stand in one of 960 orders, drawn by lot.',
    atomic: 'Every capture explodes. Blow up the king to win.',
    'simple-atomic': 'Captures explode; no castling, no en passant, no promotion.',
  },
  square: '{square}, {color} {piece}',
  emptySquare: '{square}, empty',
  canGo: 'can go here',
  board: 'Board',
  arbiter: 'Arbiter',

  played: '{color} played {piece} {from} to {to}',
  playedCapture: '{color} played {piece} {from} to {to}, taking the {captive}',
  castlesShort: "{color} castled on the king's side",
  castlesLong: "{color} castled on the queen's side",
  promoting: ', promoted to {piece}',
  enPassant: ' en passant',
  blowsUp: ', blowing up {pieces}',
  check: ', check',
  mate: ', checkmate',
  and: ' and ',

  yourMove: 'Your move',
  yourMoveHint: 'Your move: Nf3, e2e4, O-O …',
  whiteClock: "White's clock",
  blackClock: "Black's clock",
  moves: 'Moves',
  flip: 'Flip', flipBoard: 'Flip the board',
  sound: 'Sound', soundOn: 'Sound is on', soundOff: 'Sound is off',
  settings: 'Settings',

  offerDraw: 'Offer a draw', draw: 'Draw',
  acceptDraw: 'Accept the draw', declineDraw: 'Decline the draw',
  claimDraw: 'Claim a draw',
  claimMay: { threefold_repetition: 'This position is here for the third time: you may claim a draw.', fifty_moves: "Fifty moves without a capture or a pawn's move: you may claim a draw." },
  takeBack: 'Take back', askTakeback: 'Ask to take back',
  acceptTakeback: 'Accept the takeback', declineTakeback: 'Decline the takeback',
  resign: 'Resign', reallyResign: 'Do you want to resign?', yesResign: 'Yes, resign', no: 'No',
  abort: 'Abort', giveTime: 'Give 15 seconds', lagGivenBack: '{seconds} s lag given back',
  rematch: 'Rematch', acceptRematch: 'Accept the rematch', declineRematch: 'Decline the rematch',
  claimWin: 'Claim the win', claimAbsenceDraw: 'Claim a draw for absence',

  youOfferDraw: 'You offer a draw.',
  offersDraw: '{name} offers a draw.',
  youAskTakeback: 'You ask to take back.',
  asksTakeback: '{name} asks to take back.',
  declinedDraw: 'The draw was declined.',
  declinedTakeback: 'The takeback was declined.',
  takenBack: 'A move was taken back.',
  gaveTime: '{name} was given {seconds} seconds.',
  held: 'The clocks are stopped: {reason}.',
  satDown: '{name} has sat down.',
  wantsRematch: '{name} wants to play again.',
  youWantRematch: 'You want to play again.',
  declinedRematch: 'The rematch was declined.',
  yourTurn: 'It is your move.',
  theirTurn: '{name} is to move.',
  premoveSet: 'The move {move} will be played if it is legal then. Escape or “Cancel the plan” takes it back.',
  premovesGone: 'The move {move} is not legal now: what was planned is cancelled.',
  cancelPremoves: 'Cancel the plan',
  premovesCancelled: 'What was planned is cancelled.',
  promote: 'Promote to',
  whichLaw: 'Which law?',
  didYouMean: 'Did you mean {move}?',
  holds: 'holds', broken: 'broken',
  enterPlays: 'Enter plays it.',
  letGo: 'Let go to play it; let go elsewhere to take it back.',
  explodes: '{san} explodes on {square}: {pieces} die.',
  explodesOne: '{san} explodes on {square}: {pieces} dies.',
  yourPiece: 'your {piece} {square}',
  otherPiece: '{piece} {square}',
  wouldWin: '{color} wins.',

  reconnecting: 'The connection is gone. Coming back …',
  reconnected: 'The connection is back.',
  awayClaim: '{name} has left the table. In {seconds} seconds you may claim the game.',
  awayNow: '{name} has been away for long: you may claim the game.',
  noShowNow: '{name} has not come to make a first move in time: you may claim the game.',
  showSquares: 'Show the squares',
  here: 'here', gone: 'away',
  watching: '{count} watching',
  you: 'you',
  openSeat: 'Open seat', nobody: 'Nobody',
  moveNumber: 'move {number}',
  noClock: 'no clock',

  inviteTitle: 'Send this link to your friend',
  inviteText: 'The game begins when your friend takes the seat.', withdrawInvite: 'Withdraw the invitation',
  link: 'Link for your friend',
  copy: 'Copy', copied: 'Copied', share: 'Share',
  qrLabel: 'QR code of the link',
  friend: 'Somebody',
  joinTitle: '{name} invites you',
  joinText: '{terms}. You play {color}.',
  joinOpen: 'An open game',
  yourName: 'Your name', optional: 'optional',
  takeSeat: 'Take the seat', watch: 'Watch',

  newGame: 'New game', exportSummary: 'Keep and share: PGN, FEN, diagram …', exportTitle: 'Keep and share',
  waitingFor: 'Waiting for somebody to take the seat.',
  copyPgn: 'Copy PGN', savePgn: 'Save PGN', copyFen: 'Copy FEN', saveSvg: 'Diagram SVG', savePng: 'Diagram PNG',
  askArbiter: 'Ask the arbiter',
  showLine: 'Show how {color} could have won',
  proof: 'Why: {text}.',
  undecided: 'After {positions} positions it was not known whether anybody could win.',
  lineStep: 'How {color} could have won: {move}, move {n} of {all}.',
  betterStep: 'Better for {color}: {move}, move {n} of {all}.',
  review: {
    title: 'Where the game turned', ask: 'Where did it turn?', looking: 'The game is being looked at …', progress: 'How much of the game has been looked at', cancel: 'Cancel',
    exact: '{color} played {percent} exact.', turned: 'It turned with {moves}.', steady: 'There was no turning point.', points: 'Turning points', show: 'Show what was better',
    showOf: 'Show what was better than {move}', graph: 'White’s chance to win from the first move to the last. {summary}', inWords: 'The chances after each move, in words',
    chance: 'White’s chance {percent}', slips: { inaccuracy: 'inaccurate', mistake: 'a mistake', blunder: 'a blunder' }, incomplete: 'There was no time to look at all of it.',
  },
  back: 'Back to the game',
  first: 'First position', previous: 'One move back', next: 'One move on', last: 'Last position',
  autoplay: 'Play the game', pause: 'Pause',
  study: 'Your variation: {moves}', studies: 'Your variations', forget: 'Forget it',
  savePgnStudy: 'Save PGN with your moves',
  atStart: 'The position at the beginning.',

  chat: 'Chat', say: 'Say something', send: 'Send',
  chatPlayers: 'Only the players see this.', chatSpectators: 'Only those who watch see this.',

  theme: 'Appearance', themes: { system: 'As the system', light: 'Light', dark: 'Dark', contrast: 'High contrast' },
  boardColors: 'Board', boards: { walnut: 'Walnut', meadow: 'Meadow', slate: 'Slate', paper: 'Paper', clear: 'Clear (for colour-blind eyes)' },
  coordinates: 'Coordinates', moving: 'Pieces glide', language: 'Language', languages: { system: 'As the system', en: 'English', de: 'Deutsch' },
  close: 'Close',

  noServer: 'The server cannot be reached. Try again in a moment.',
  notHere: 'This house does not offer that yet.',
  join: 'Join',
  resume: 'Go on',
  custom: 'A clock such as 15+10, 40/90+30 or 2d',

  canWin: '{color} can still win.', cannotWin: '{color} cannot win: {proof}.', unknownWin: 'It is not known whether {color} can still win.',
  deadYes: 'The position is dead.', deadNo: 'The position is not dead.', deadUnknown: 'It is not known whether the position is dead.',
  flagMeans: "If {color}'s flag fell now",
  winLine: 'Show the line',
  noClaims: 'No draw can be claimed.',
  claims: 'A draw may be claimed: {claims}.',
  claimNames: { threefold_repetition: 'threefold repetition', fifty_moves: 'the fifty-move rule' },
  warning: 'No game can lead here: {text}.',
  erase: 'Erase', movePieces: 'Move men',
  whiteToMove: 'White to move', blackToMove: 'Black to move',
  nav: { play: 'Play', watch: 'Watch', arbiter: "Arbiter's desk", rules: 'Rules', connect: 'Connect' },
  home: {
    title: 'Chess for two, with an arbiter.', lead: 'Send a link and play. Every illegal move is explained, every move is kept.',
    rules: 'Rules', clock: 'Clock', side: 'You play', sides: { white: 'White', random: 'by lot', black: 'Black' },
    none: 'none', days: '3 days a move', other: 'other …', sample: 'The pieces at the beginning',
    invite: 'Invite a friend', computer: 'Play the computer', more: 'More terms: name, draws, flag, takebacks, position …',
    public: 'Anybody may join and watch: show it on this page. Otherwise only who has the link can find it, and watch', draws: 'Repetition and fifty moves',
    level: 'Strength of the computer', resigns: 'The computer gives up hopeless games', levels: { 'first-steps': 'First steps', beginner: 'Beginner', casual: 'Casual', 'club-novice': 'Club novice', club: 'Club', 'strong-club': 'Strong club', expert: 'Expert', master: 'Master', full: 'Full strength' }, drawsAuto: 'end the game by themselves', drawsClaim: 'must be claimed', flag: 'When a flag falls',
    flagFide: 'it is a draw if the other cannot win', flagLoses: 'the game is lost', dead: 'Dead positions end the game',
    deadExact: 'when it is proved that nobody can win', deadMaterial: 'when too few pieces are left', deadOff: 'never',
    takebacks: 'Moves may be taken back, if the other agrees', gifts: 'Players may give each other time', start: 'Position to begin with',
    yours: 'Your games', waiting: 'waiting for somebody', seeks: 'Open games', now: 'Games now', nobody: 'Nobody plays just now. Games that everybody may see are shown here.',
    ask: 'Is it dead? Who wins if the flag falls? Why is this move illegal?', paste: 'Paste a FEN or a PGN', askButton: 'Ask', account: 'Sign in', signedIn: 'Signed in as {name}',
    to: 'Challenge by name', toHint: 'an account, or a bot', challenged: '{name} is challenged. The game opens when the challenge is accepted.', forAccounts: 'This link is a challenge to somebody with an account: sign in to answer it.',
    challengesYou: '{name} challenges you', youChallenge: 'You challenge {name}', accept: 'Accept', decline: 'Decline', withdraw: 'Withdraw', declined: 'The challenge was declined.', declinedFor: 'The challenge was declined: {reason}',
  },
  arbiterPage: {
    ask: 'Why, or why not?', askMove: 'Ask about a move', thinking: 'The arbiter looks …',
    title: "The arbiter's desk", palette: 'Men to set up', turn: 'Whose move', keys: 'On the board letters set pieces: K a white king, k a black one; Delete takes away.',
    special: 'Castling and en passant', castling: 'May still castle', rights: { K: 'White, king’s side', Q: 'White, queen’s side', k: 'Black, king’s side', q: 'Black, queen’s side' }, passed: 'En passant on', nowhere: 'nowhere', clear: 'Empty board', begin: 'Start position',
    text: 'A position (FEN) or a game (PGN)', judge: 'Judge it', link: 'Copy link', continue: 'Go on from there',
    winnable: 'Who can still win?', flagWhite: "If White's flag fell?", flagBlack: "If Black's flag fell?",
  },
  connect: {
    title: 'Connect a bot or a client', lead: 'Programs that were written for Lichess play here, unchanged: they need the address of this server and a token of yours.',
    account: 'Your account', name: 'Name', password: 'Password', signIn: 'Sign in', signUp: 'Open an account', signOut: 'Sign out',
    open: 'Guests play without an account. Whoever wants a token needs one; a name and a password are all.',
    closed: 'Guests play without an account. Whoever wants a token needs one: the host of this server makes it, and gives it a password.',
    youAre: 'You are signed in as', youAreBot: 'You are signed in as the bot', changePassword: 'Change the password', old: 'Password until now', new: 'New password', change: 'Change it', changed: 'The password is changed.', keepTokens: 'Programs keep their tokens',
    make: 'A token for a program', label: 'What it is for', labelHint: 'my bot on the old laptop', again: 'Your password, if you signed in more than ten minutes ago', may: 'It may', makeIt: 'Make a token',
    scopes: { 'board:play': 'play as a human being', 'bot:play': 'play as a bot', 'challenge:read': 'see challenges', 'challenge:write': 'make and take challenges', 'account:read': 'see the account', host: 'set up tables' },
    lasts: 'It is valid', days: { ever: 'until it is revoked', 30: 'for 30 days', 90: 'for 90 days', 365: 'for a year' },
    once: 'This is the token. It is shown only now: keep it like a password.', token: 'Your token', another: 'Make another one',
    yours: 'Your tokens', made: 'made on {date}', used: 'used on {date}', unused: 'never used', until: 'valid until {date}', unnamed: 'without a name', revoke: 'Revoke', yesRevoke: 'Yes, revoke it', revokeAll: 'Revoke all of them',
    clientSetups: 'What to tell the program', settingsOf: 'Settings for {name}', copyFor: 'Copy for {name}',
    about: { berserk: 'The library for Python.', 'lichess-bot': "Plays with an engine. It needs a bot's account: one that has played no game becomes one when lichess-bot is started with -u.", 'cli-chess': 'Plays in a terminal.' },
    others: 'Others have a setting for the base URL or the host, and one for the token. That is all they need.',
  },
  rulesTitle: 'The law book',
  searchRules: 'Search the laws',
  nothingFound: 'Nothing found.',
};

/** The language that the settings name, or the browser. */
function chooseLanguage() {
  const setting = storage.get('language', 'system');
  const tag = setting === 'system' ? navigator.language : setting;
  return tag?.toLowerCase().startsWith('de') ? 'de' : 'en';
}

/** The language of the page. */
export const language = chooseLanguage();

const texts = language === 'de' ? (await import('./i18n.de.js')).default : english;

/** The text of a key such as `home.title`, or the key itself if there is none. */
function findText(key) {
  const path = key.split('.');
  const lookUp = (root) => path.reduce((node, step) => node?.[step], root);
  return lookUp(texts) ?? lookUp(english) ?? key;
}

/** The text of a key, with the values filled in for the names in braces. */
export function t(key, values = {}) {
  const text = findText(key);
  return typeof text === 'string' ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '') : text;
}

/** Translates the texts in the HTML: `data-t` for contents, `data-t-label` for labels, `data-t-hint` for placeholders. */
export function translate(root = document) {
  document.documentElement.lang = language;
  if (language === 'en') return;
  for (const node of root.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll('[data-t-label]')) node.setAttribute('aria-label', t(node.dataset.tLabel));
  for (const node of root.querySelectorAll('[data-t-hint]')) node.setAttribute('placeholder', t(node.dataset.tHint));
}

/** What to tell people about a failed request: what the server has said, or that it cannot be reached. */
export const errorText = (error) => (error.status ? error.message : t('noServer'));

/** A list in words: a, b and c. */
export function list(items) {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')}${t('and')}${items.at(-1)}`;
}
