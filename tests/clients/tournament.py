"""A tournament of bots: BOTS bots (20), GAMES games (500), several at once. Nothing may get stuck, and every
PGN must pass `touchmove pgn check`."""

import collections
import itertools
import os
import time

import requests

from bot import Bot
from house import House

BOTS = int(os.environ.get("BOTS", "20"))
GAMES = int(os.environ.get("GAMES", "500"))
AT_ONCE = int(os.environ.get("AT_ONCE", "10"))
PLIES = int(os.environ.get("PLIES", "80"))


def main():
    with House() as house:
        names = [f"Bot{number:02}" for number in range(BOTS)]
        bots = [Bot(house.url, house.add(name, bot=True), name, most_plies=PLIES) for name in names]
        pairs = itertools.cycle(itertools.permutations(bots, 2))
        variants = itertools.cycle(("standard", "atomic", "chess960"))
        open_games, done, begun = {}, set(), 0
        endings = collections.Counter()
        start = time.monotonic()
        latest = start
        while len(done) < GAMES:
            while begun < GAMES and len(open_games) < AT_ONCE:
                by, to = next(pairs)
                terms = {"clock.limit": 120, "clock.increment": 1, "variant": next(variants), "color": "white"}
                open_games[by.challenge(to.name, **terms)] = 2
                begun += 1
            for bot in bots:
                bot.check()
                while not bot.finished.empty():
                    game, state = bot.finished.get()
                    open_games[game] -= 1
                    latest = time.monotonic()
                    if open_games[game] == 0:
                        del open_games[game]
                        done.add(game)
                        endings[state["status"]] += 1
            if time.monotonic() - latest > 180:
                raise TimeoutError(f"stuck: {open_games}\n{house.log()}")
            time.sleep(0.02)
        seconds = time.monotonic() - start
        texts = []
        for part in range(0, GAMES, 300):
            ids = ",".join(sorted(done)[part : part + 300])
            texts.append(requests.post(f"{house.url}/api/games/export/_ids", data=ids, timeout=120).text)
        text = "".join(texts)
        assert text.count("[Result ") == GAMES, text.count("[Result ")
        print(house.check_pgn(text).strip())
        print(f"tournament: {GAMES} games of {BOTS} bots in {seconds:.0f} s: {dict(endings)}")


if __name__ == "__main__":
    main()
