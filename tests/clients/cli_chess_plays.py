"""cli-chess, unmodified, in tmux: it connects, challenges a bot and plays until mate."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

import requests

from bot import Bot
from house import House, wait


class Terminal:
    """A program in a tmux server of its own."""

    def __init__(self, folder, command):
        self.socket = f"touchmove-{uuid.uuid4().hex}"
        environment = {**os.environ, "HOME": folder, "TERM": "xterm-256color"}
        command = ["new-session", "-d", "-x", "140", "-y", "45", *command]
        subprocess.run(["tmux", "-L", self.socket, *command], check=True, env=environment)

    def tmux(self, *command):
        done = subprocess.run(["tmux", "-L", self.socket, *command], capture_output=True, text=True)
        return done.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def type(self, *keys):
        for key in keys:
            self.tmux("send-keys", key)
            time.sleep(0.3)

    def see(self, *texts, seconds=60):
        try:
            wait(f"{texts}", lambda: any(text in self.screen() for text in texts), seconds)
        except TimeoutError:
            raise TimeoutError(f"{texts} is not on the screen:\n{self.screen()}") from None

    def end(self):
        self.tmux("kill-server")


FOOLS = {True: ("f2f3", "g2g4"), False: ("e7e5", "d8h4")}


def fools(board):
    """The moves of the fool's mate, for whichever side it is."""
    moves = [legal for legal in board.legal_moves if legal.uci() == FOOLS[board.turn][board.fullmove_number - 1]]
    return moves[0]


def main():
    if not shutil.which("tmux"):
        print("cli-chess: skipped, because tmux is not installed")
        return
    program = pathlib.Path(sys.executable).parent / "cli-chess"
    with House() as house, tempfile.TemporaryDirectory() as folder:
        token = house.add("Anna")
        bea = Bot(house.url, house.add("BeaBot", bot=True), 1, choose=fools)
        terminal = Terminal(folder, [str(program), "--base-url", house.url, "--token", token])
        try:
            terminal.see("Online Games")
            play(terminal, bea, house)
            game, state = bea.finished.get(timeout=60)
            bea.check()
            assert state["status"] == "mate" and state["winner"] == "black", state
            terminal.see("Checkmate", "checkmate", "mate")
        finally:
            bea.is_over = True
            terminal.end()
    print("cli-chess: connected, challenged a bot by its name, played to mate")


def play(terminal, bea, house):
    terminal.type("Down", "Right")
    terminal.see("Challenge a player")
    terminal.type("Down", "Right")
    terminal.see("Enter opponent's username")
    terminal.type("Up", "BeaBot", "F1")
    wait("the game begins", lambda: bea.playing, 60)
    game = next(iter(bea.playing))
    headers = {"Accept": "application/json"}
    told = lambda: requests.get(f"{house.url}/game/export/{game}", headers=headers, timeout=5).json()
    is_white = told()["players"]["white"]["user"]["id"] == "anna"
    terminal.see("BeaBot")
    for number, move in enumerate(FOOLS[is_white]):
        before = 2 * number + (0 if is_white else 1)
        wait("it is one's turn", lambda: len(told()["moves"].split()) >= before, 60)
        time.sleep(1)
        terminal.type(move, "Enter")
    wait("the game is over", lambda: told()["status"] == "mate", 60)


if __name__ == "__main__":
    main()
