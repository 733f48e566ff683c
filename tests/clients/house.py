"""A server of our own on loopback, for the clients that are tried against it."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import requests

TOUCHMOVE = os.environ.get("TOUCHMOVE", "touchmove")


class House:
    """A server on a folder of its own. It is stopped by its process id, and only that."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="touchmove-clients-")
        self.data = str(pathlib.Path(self.folder.name) / "data")
        self.address = "127.0.0.1:0"
        self.process = None
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGTERM)
        self.folder.cleanup()

    def start(self):
        """Starts the server, the second time where it was."""
        log = open(pathlib.Path(self.folder.name) / "log", "ab")
        self.process = subprocess.Popen(
            [TOUCHMOVE, "serve", "--listen", self.address, "--data", self.data, "--log-level", "warn"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://([0-9.]+:[0-9]+)", line)
        if not found:
            raise RuntimeError(f"the server does not say where it is: {line!r}\n{self.log()}")
        self.address = found.group(1)
        self.url = f"http://{self.address}"
        wait("the server answers", lambda: requests.get(f"{self.url}/readyz", timeout=2).ok)

    def stop(self, how):
        """Ends the server by a signal, and waits for its end."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def kill_and_restart(self):
        """The plug is pulled, and put in again."""
        self.stop(signal.SIGKILL)
        time.sleep(1)
        self.start()

    def log(self):
        return (pathlib.Path(self.folder.name) / "log").read_text(errors="replace")

    def add(self, name, bot=False):
        """Opens an account, and gives its token."""
        command = [TOUCHMOVE, "people", "add", name, "--data", self.data]
        if bot:
            command.append("--bot")
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def check_pgn(self, text):
        """Every game must be one by the rules, to the last move and to its result."""
        path = pathlib.Path(self.folder.name) / "games.pgn"
        path.write_text(text)
        done = subprocess.run([TOUCHMOVE, "pgn", "check", str(path)], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"pgn check: {done.stdout}\n{done.stderr}")
        return done.stdout


def wait(what, is_so, seconds=30):
    """Waits until something is so."""
    until = time.monotonic() + seconds
    while True:
        try:
            found = is_so()
            if found:
                return found
        except requests.RequestException:
            pass
        if time.monotonic() > until:
            raise TimeoutError(what)
        time.sleep(0.05)
