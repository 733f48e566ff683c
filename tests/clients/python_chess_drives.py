"""python-chess's engine module, unmodified, drives `touchmove uci`: games in chess and Atomic, analysis with
several lines, stop, ponder, options, and Chess960."""

import asyncio
import os
import time

import chess
import chess.engine
import chess.variant

# How long a stop may take beside other programs on the same machine.
SOON = 0.25


def plays(engine, board, limit, most=60):
    """A game of the engine with itself; every move is legal to python-chess."""
    plies = 0
    while not board.is_game_over(claim_draw=True) and plies < most:
        played = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert played.move in board.legal_moves, (board.fen(), played.move)
        board.push(played.move)
        plies += 1
    return plies


def options(engine):
    assert engine.id["name"].startswith("touchmove"), engine.id
    assert engine.options["Hash"].max >= 1024
    assert "atomic" in engine.options["UCI_Variant"].var
    engine.configure({"Hash": 8, "Move Overhead": 10})


def analyses(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=5))
    assert info["score"].white().mate() == 1 and info["pv"][0].uci() == "a1a8", info
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3, lines
    only = engine.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=[chess.Move.from_uci("a2a3")])
    assert only.move.uci() == "a2a3", only
    mate = engine.play(board, chess.engine.Limit(mate=1))
    assert mate.move.uci() == "a1a8", mate


def stops(engine):
    """How long the engine takes to answer a stop, at worst."""
    worst = 0
    for _ in range(5):
        with engine.analysis(chess.Board()) as analysis:
            time.sleep(0.2)
            began = time.monotonic()
            analysis.stop()
            assert analysis.wait().move is not None
            worst = max(worst, time.monotonic() - began)
    assert worst < SOON, worst
    return worst


def ponders(engine):
    board = chess.Board()
    played = engine.play(board, chess.engine.Limit(nodes=2000), ponder=True)
    board.push(played.move)
    if played.ponder:
        board.push(played.ponder)
    assert engine.play(board, chess.engine.Limit(nodes=2000)).move in board.legal_moves


def main(program):
    asyncio.set_event_loop_policy(chess.engine.EventLoopPolicy())
    with chess.engine.SimpleEngine.popen_uci([program, "uci"], timeout=30) as engine:
        options(engine)
        analyses(engine)
        worst = stops(engine)
        ponders(engine)
        nodes = chess.engine.Limit(nodes=2000)
        plies = plays(engine, chess.Board(), nodes)
        plies += plays(engine, chess.Board.from_chess960_pos(7), nodes)
        plies += plays(engine, chess.variant.AtomicBoard(), nodes)
        plies += plays(engine, chess.Board(), chess.engine.Limit(time=0.02), 20)
        clock = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
        plies += plays(engine, chess.Board(), clock, 20)
    print(f"python-chess: {plies} plies, stop within {1000 * worst:.1f} ms")


if __name__ == "__main__":
    main(os.environ["TOUCHMOVE"])
