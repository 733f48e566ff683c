"""A bot with the habits of lichess-bot: two seconds for each request, tries again what fails by time or by
the server's fault, gives up for good on what is its own fault, insists that a stream of a game begins with
gameFull, and leaves when its account is not that of a bot."""

import json
import queue
import random
import threading
import time

import chess
import chess.variant
import requests


class Own(Exception):
    """The bot has done something wrong."""


class Api:
    def __init__(self, url, token):
        self.url = url
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"
        self.session.headers["User-Agent"] = "a bot of touchmove's tests"
        self.retried = 0

    def ask(self, method, path, **more):
        """Asks until it is answered, for a minute at most."""
        until = time.monotonic() + 60
        while True:
            try:
                answer = self.session.request(method, self.url + path, timeout=2, **more)
            except (requests.ConnectionError, requests.Timeout):
                answer = None
            if answer is not None and answer.status_code < 500:
                if answer.status_code >= 400:
                    raise Own(f"{method} {path}: {answer.status_code} {answer.text}")
                return answer.json()
            if time.monotonic() > until:
                raise TimeoutError(f"{method} {path}")
            self.retried += 1
            time.sleep(0.1)

    def stream(self, path):
        """The lines of a stream, those that are empty as None. It ends when the connection does."""
        answer = self.session.get(self.url + path, stream=True, timeout=15)
        if answer.status_code >= 500:
            raise requests.ConnectionError(f"{path}: {answer.status_code}")
        if answer.status_code >= 400:
            raise Own(f"{path}: {answer.status_code} {answer.text}")
        for line in answer.iter_lines():
            yield json.loads(line) if line else None


def board_of(full):
    """The board that a game begins with."""
    name, fen = full["variant"]["name"], full["initialFen"]
    is_960 = name == "Chess960"
    kind = chess.Board if name in ("Standard", "From Position", "Chess960") else chess.variant.find_variant(name)
    return kind(chess960=is_960) if fen == "startpos" else kind(fen, chess960=is_960)


class Bot:
    """Accepts every challenge and plays its games at random."""

    def __init__(self, url, token, seed, choose=None, most_plies=160):
        self.api = Api(url, token)
        profile = self.api.ask("GET", "/api/account")
        if profile.get("title") != "BOT":
            raise Own("this account is not a bot's")
        self.name = profile["username"]
        self.chance = random.Random(seed)
        self.choose = choose or self.at_random
        self.most_plies = most_plies
        self.finished = queue.Queue()
        self.errors = queue.Queue()
        self.playing = set()
        self.is_over = False
        self.thread = threading.Thread(target=self.listen, name=self.name, daemon=True)
        self.thread.start()

    def at_random(self, board):
        return self.chance.choice(list(board.legal_moves))

    def challenge(self, name, **terms):
        return self.api.ask("POST", f"/api/challenge/{name}", data={"rated": "false", **terms})["id"]

    def listen(self):
        """Follows the events, and connects again whenever the stream ends."""
        while not self.is_over:
            try:
                for event in self.api.stream("/api/stream/event"):
                    if self.is_over:
                        return
                    if event is not None:
                        self.hear(event)
            except (requests.RequestException, ConnectionError):
                pass
            except Exception as error:
                self.errors.put((self.name, repr(error)))
                return
            time.sleep(0.1)

    def hear(self, event):
        if event["type"] == "challenge":
            challenge = event["challenge"]
            if challenge["challenger"]["name"] != self.name:
                self.api.ask("POST", f"/api/challenge/{challenge['id']}/accept")
        elif event["type"] == "gameStart":
            game = event["game"]
            assert event["game"]["compat"]["bot"], event
            if game["id"] not in self.playing:
                self.playing.add(game["id"])
                threading.Thread(target=self.play, args=(game["id"],), daemon=True).start()
        elif event["type"] == "gameFinish":
            assert event["game"]["status"]["name"] != "started", event

    def play(self, game):
        """Plays a game to its end, and connects again whenever the stream breaks."""
        try:
            while True:
                try:
                    if state := self.follow(game):
                        self.finished.put((game, state))
                        return
                except (requests.RequestException, ConnectionError):
                    pass
                time.sleep(0.1)
        except Exception as error:
            self.errors.put((self.name, game, repr(error)))

    def follow(self, game):
        """Plays while the stream lasts; the last state if the game is over."""
        full, moved = None, -1
        for line in self.api.stream(f"/api/bot/game/stream/{game}"):
            if full is None:
                assert line is not None and line["type"] == "gameFull", f"the stream began with {line}"
                full, state = line, line["state"]
            elif line is None or line["type"] != "gameState":
                continue
            else:
                state = line
            assert isinstance(state["wtime"], int) and isinstance(state["binc"], int), state
            if state["status"] != "started":
                return state
            board = board_of(full)
            moves = state["moves"].split()
            for move in moves:
                board.push_uci(move)
            is_white = full["white"]["name"] == self.name
            if board.turn != (chess.WHITE if is_white else chess.BLACK):
                continue
            if len(moves) == moved:
                continue
            moved = len(moves)
            if len(moves) >= self.most_plies:
                self.end(game)
                continue
            move = self.choose(board)
            try:
                self.api.ask("POST", f"/api/bot/game/{game}/move/{move.uci()}", params={"offeringDraw": "false"})
            except Own:
                # The game may have ended meanwhile, by the clock or by the opponent.
                now = self.api.ask("GET", f"/game/export/{game}", headers={"Accept": "application/json"})
                if now["status"] == "started":
                    raise
        return None

    def end(self, game):
        try:
            self.api.ask("POST", f"/api/bot/game/{game}/resign")
        except Own:
            pass

    def check(self):
        if not self.errors.empty():
            raise AssertionError(self.errors.get())
