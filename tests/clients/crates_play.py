"""Clients written in Rust, unmodified: licheszter and litchee play the games of peers/clients on a server of
our own. The program is compiled before; CLIENTS says where it is."""

import os
import subprocess
import sys

from house import House

# Longer than this nothing takes, on the slowest machine.
SECONDS = 300


def main():
    with House() as house:
        people = [house.add(name) for name in ("Anna", "Bea")]
        bots = [house.add(name, bot=True) for name in ("AnnaBot", "BeaBot")]
        future = house.add("Cleo")
        command = [os.environ["CLIENTS"], house.url, *people, *bots, future]
        try:
            return subprocess.run(command, timeout=SECONDS).returncode
        finally:
            print(house.log(), end="")


if __name__ == "__main__":
    sys.exit(main())
