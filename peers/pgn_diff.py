"""Replays a file of games with python-chess and compares the end of each with touchmove's.

    cargo run --release --manifest-path peers/Cargo.toml -- pgn FILE --ends > ends.tsv
    python3 peers/pgn_diff.py FILE ends.tsv

The exit code is 1 if the games differ in number, if python-chess replays more plies of a game than
touchmove, or if the same plies lead to another position. Games of which python-chess replays fewer
plies are listed with its own complaint. python-chess takes tags for a game of their own where a blank
line stands among them; such empty games are counted and passed over.
"""

import logging
import sys

import chess.pgn


class End(chess.pgn.BaseVisitor):
    """Counts the plies of the main line and keeps the last board."""

    def begin_game(self):
        self.plies, self.board, self.complaint = 0, None, ""

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_board(self, board):
        self.board = board

    def visit_move(self, board, move):
        self.plies += 1

    def handle_error(self, error):
        self.complaint = self.complaint or str(error)

    def result(self):
        fen = self.board.fen(en_passant="legal") if self.board else ""
        return self.plies, fen, self.complaint


def main():
    logging.disable(logging.CRITICAL)
    games, ends = sys.argv[1:3]
    ours = [line.rstrip("\n").split("\t") for line in open(ends, encoding="utf-8")]
    number = shorter = empty = differences = 0
    with open(games, encoding="utf-8", errors="surrogateescape") as file:
        while (end := chess.pgn.read_game(file, Visitor=End)) is not None:
            number += 1
            if number > len(ours):
                continue
            plies, fen, complaint = end
            our_plies, our_fen = int(ours[number - 1][0]), ours[number - 1][1]
            if plies == 0 < our_plies and not complaint:
                empty += 1
                number -= 1
            elif plies < our_plies:
                shorter += 1
                print(f"game {number}: {plies} of {our_plies} plies: {complaint}")
            elif plies > our_plies or (fen and fen != our_fen):
                differences += 1
                print(f"game {number}: {plies} plies {fen}, touchmove {our_plies} plies {our_fen}")
    differences += abs(number - len(ours))
    print(
        f"{number} games, {shorter} shorter and {empty} more, empty ones, in python-chess, "
        f"{differences} differences"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
