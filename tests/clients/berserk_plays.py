"""berserk, unmodified: a game to mate, draws, takebacks, chat, challenges, seeks, exports."""

import threading
import time

import berserk
import chess.pgn
import io

from house import House, wait


def client(house, token):
    return berserk.Client(berserk.TokenSession(token), base_url=house.url)


def begin(events, kind):
    """The next event of a kind."""
    for event in events:
        if event["type"] == kind:
            return event
    raise AssertionError(f"no {kind} came")


def states(stream):
    """How a game stands, one state after the other."""
    for line in stream:
        if line["type"] == "gameFull":
            yield line["state"]
        elif line["type"] == "gameState":
            yield line


def plays_to_mate(anna, bea, of_anna, of_bea):
    challenge = anna.challenges.create("bea", rated=False, clock_limit=300, clock_increment=3, color="white")
    told = begin(of_bea, "challenge")["challenge"]
    assert told["id"] == challenge["id"] and told["challenger"]["name"] == "Anna", told
    assert told["timeControl"]["show"] == "5+3", told
    bea.challenges.accept(told["id"])
    game = begin(of_anna, "gameStart")["game"]
    assert begin(of_bea, "gameStart")["game"]["color"] == "black"
    assert game["compat"]["board"] and game["opponent"]["username"] == "Bea", game
    id = game["gameId"]
    stream = anna.board.stream_game_state(id)
    first = next(stream)
    assert first["type"] == "gameFull" and first["state"]["status"] == "started", first
    try:
        anna.board.make_move(id, "e2e5")
        raise AssertionError("an illegal move was played")
    except berserk.exceptions.ResponseError as error:
        assert error.status_code == 400 and "error" in error.response.json(), error
    bea.board.post_message(id, "good luck")
    assert next(stream) == {"type": "chatLine", "room": "player", "username": "Bea", "text": "good luck"}
    for player, move in [(anna, "f2f3"), (bea, "e7e5"), (anna, "g2g4"), (bea, "d8h4")]:
        player.board.make_move(id, move)
    last = list(states(stream))[-1]
    assert last["status"] == "mate" and last["winner"] == "black", last
    for events in (of_anna, of_bea):
        over = begin(events, "gameFinish")["game"]
        assert over["status"] == {"id": 30, "name": "mate"} and over["winner"] == "black", over
    return id


def draws_and_takes_back(anna, bea, of_anna, of_bea):
    challenge = bea.challenges.create("Anna", rated=False, days=3, color="black", variant="atomic")
    anna.challenges.accept(challenge["id"])
    id = begin(of_anna, "gameStart")["game"]["gameId"]
    assert id == challenge["id"]
    begin(of_bea, "gameStart")
    stream = states(anna.board.stream_game_state(id))
    assert next(stream)["moves"] == ""
    anna.board.make_move(id, "e2e4")
    bea.board.make_move(id, "e7e5")
    anna.board.offer_takeback(id)
    bea.board.decline_takeback(id)
    anna.board.offer_takeback(id)
    bea.board.accept_takeback(id)
    wait("the moves are taken back", lambda: next(stream)["moves"] == "")
    anna.board.make_move(id, "d2d4")
    bea.board.make_move(id, "d7d5")
    anna.board.offer_draw(id)
    bea.board.decline_draw(id)
    bea.board.offer_draw(id)
    anna.board.accept_draw(id)
    last = list(stream)[-1]
    assert last["status"] == "draw" and "winner" not in last, last
    begin(of_anna, "gameFinish")
    begin(of_bea, "gameFinish")
    return id


def seeks_and_challenges(house, anna, bea, of_anna, of_bea):
    waiting = threading.Thread(target=lambda: anna.board.seek(5, 3), daemon=True)
    waiting.start()
    wait("a seek is open", lambda: berserk.session.requests.get(f"{house.url}/v1/seeks").json()["seeks"])
    bea.board.seek(5, 3)
    id = begin(of_anna, "gameStart")["game"]["gameId"]
    begin(of_bea, "gameStart")
    waiting.join(timeout=10)
    assert not waiting.is_alive()
    anna.board.abort_game(id)
    assert begin(of_bea, "gameFinish")["game"]["status"]["name"] == "aborted"
    begin(of_anna, "gameFinish")
    challenge = anna.challenges.create("bea", rated=False, clock_limit=60, clock_increment=0)
    assert bea.challenges.get_mine()["in"][0]["id"] == challenge["id"]
    bea.challenges.decline(challenge["id"], reason="tooFast")
    declined = begin(of_anna, "challengeDeclined")["challenge"]
    assert declined["declineReasonKey"] == "toofast", declined
    challenge = anna.challenges.create("bea", rated=False)
    anna.challenges.cancel(challenge["id"])
    assert begin(of_bea, "challengeCanceled")["challenge"]["id"] == challenge["id"]
    open_challenge = anna.challenges.create_open(clock_limit=60, clock_increment=1)
    assert open_challenge["urlWhite"] != open_challenge["urlBlack"]


def exports(house, anna, mated, drawn):
    pgn = anna.games.export(mated, as_pgn=True)
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game.headers["Result"] == "0-1" and game.end().board().is_checkmate(), pgn
    json = anna.games.export(mated)
    assert json["moves"] == "f3 e5 g4 Qh4#" and json["winner"] == "black", json
    games = list(anna.games.export_by_player("Anna"))
    assert [game["id"] for game in games] == [drawn, mated], games
    assert [game["id"] for game in anna.games.export_by_player("Anna", max=1)] == [drawn]
    texts = list(anna.games.export_by_player("Anna", as_pgn=True))
    assert len(texts) == 2, texts
    house.check_pgn("\n\n".join(texts) + "\n")
    assert {game["id"] for game in anna.games.export_multi(mated, drawn)} == {mated, drawn}
    assert anna.games.get_ongoing() == []


def main():
    with House() as house:
        tokens = {name: house.add(name) for name in ("Anna", "Bea")}
        anna, bea = (client(house, tokens[name]) for name in ("Anna", "Bea"))
        tested = anna.oauth.test_tokens(tokens["Anna"], "nothing")
        assert tested[tokens["Anna"]]["userId"] == "anna" and tested["nothing"] is None, tested
        assert anna.account.get()["username"] == "Anna"
        of_anna = anna.board.stream_incoming_events()
        of_bea = bea.board.stream_incoming_events()
        mated = plays_to_mate(anna, bea, of_anna, of_bea)
        drawn = draws_and_takes_back(anna, bea, of_anna, of_bea)
        seeks_and_challenges(house, anna, bea, of_anna, of_bea)
        exports(house, anna, mated, drawn)
        assert anna.users.get_public_data("bea")["username"] == "Bea"
        status = anna.users.get_realtime_statuses("anna", "bea")
        assert len(status) == 2, status
    print("berserk: a mate, a draw, takebacks, seeks, challenges and exports")


if __name__ == "__main__":
    main()
