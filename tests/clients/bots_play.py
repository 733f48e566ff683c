"""Two bots with lichess-bot's habits play ten games each of standard chess, atomic and Chess960 to the end.
In the middle the server is killed and started again; nothing that was acknowledged may be lost."""

import collections
import contextlib
import os
import shutil
import sys
import time

import chess
import chess.engine
import requests

from bot import Bot
from house import House, wait

GAMES = int(os.environ.get("GAMES", "10"))
VARIANTS = ("standard", "atomic", "chess960")


class Stockfish:
    """Moves of stockfish. Of atomic it knows nothing: there the bot plays as it did."""

    def __init__(self, path, otherwise):
        self.engine = chess.engine.SimpleEngine.popen_uci(path)
        self.otherwise = otherwise
        self.moves = 0

    def __call__(self, board):
        if type(board) is not chess.Board:
            return self.otherwise(board)
        self.moves += 1
        return self.engine.play(board, chess.engine.Limit(nodes=200)).move


def with_stockfish(bot, stack):
    """Lets a bot play with stockfish, where it is installed."""
    path = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if not path:
        print("stockfish: not installed; both bots play at random")
        return None
    bot.choose = Stockfish(path, bot.choose)
    stack.callback(bot.choose.engine.close)
    return bot.choose


def is_running(house, game):
    """Waits for a few moves, and says whether the game goes on."""
    headers = {"Accept": "application/json"}

    def few_moves():
        told = requests.get(f"{house.url}/game/export/{game}", headers=headers, timeout=5).json()
        # Before it is accepted there is no game.
        is_over = told.get("status", "started") != "started"
        return told if is_over or len(told.get("moves", "").split()) >= 6 else None

    return wait("the game has begun", few_moves)["status"] == "started"


def main():
    with House() as house, contextlib.ExitStack() as stack:
        tokens = [house.add(name, bot=True) for name in ("AnnaBot", "BeaBot")]
        anna, bea = (Bot(house.url, token, seed, most_plies=1000) for seed, token in enumerate(tokens))
        stockfish = with_stockfish(bea, stack)
        endings = collections.Counter()
        started = 0
        total = GAMES * len(VARIANTS)
        is_killed = False
        for variant in VARIANTS:
            for number in range(GAMES):
                terms = {"clock.limit": 300, "clock.increment": 2, "variant": variant}
                terms["color"] = ("white", "black")[number % 2]
                by, to = ((anna, bea), (bea, anna))[number // 2 % 2]
                game = by.challenge(to.name, **terms)
                started += 1
                if started >= GAMES // 2 and not is_killed and is_running(house, game):
                    house.kill_and_restart()
                    is_killed = True
                until = time.monotonic() + 300
                for bot in (anna, bea):
                    while True:
                        bot.check()
                        try:
                            found, state = bot.finished.get(timeout=1)
                            break
                        except Exception:
                            if time.monotonic() > until:
                                raise TimeoutError(f"game {game} is stuck\n{house.log()}")
                    assert found == game, (found, game)
                endings[variant, state["status"]] += 1
        assert is_killed and anna.api.retried + bea.api.retried > 0
        answer = requests.get(f"{house.url}/api/games/user/annabot", params={"max": 1000}, timeout=30)
        assert answer.text.count("[Result ") == total, answer.text.count("[Result ")
        house.check_pgn(answer.text)
        anna.is_over = bea.is_over = True
        if stockfish:
            assert stockfish.moves > 0
            print(f"stockfish: {stockfish.moves} moves")
        print(f"bots: {total} games to the end, the server killed once, {anna.api.retried + bea.api.retried} retries")
        for (variant, status), count in sorted(endings.items()):
            print(f"  {variant}: {count} × {status}")


if __name__ == "__main__":
    sys.exit(main())
