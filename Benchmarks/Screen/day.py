#!/usr/bin/env python3
"""Measures the view of a day with many requests: the frame after the key, and the rows when the day is read.

    Benchmarks/Screen/day.py .build/release/permtui

Each request was asked and answered, so that it takes two entries of the journal. Every figure is
`minimum / median / maximum`. It never fails for a figure.
"""

import argparse
import os
import pathlib
import sqlite3
import tempfile
import time

from screen import Program, start, table

ENTRY = """INSERT INTO journal (at, kind, origin, label, program, capability, atoms, request, verdict, count)
  VALUES (?, ?, ?, ?, '', 'commands', ?, ?, ?, 1)"""


def entries(count):
    """Yields the entries of today's requests, which end a minute ago."""
    begin = int(time.time() * 1e6) - 60_000_000 - count * 1000
    for number in range(count):
        at, label, request = begin + number * 1000, f"agent{number % 5}", f"r{number}"
        line = f"run\tcnpm test -- src/file{number}.test.ts\\u{{0}}"
        yield at, "asked", "rule broker", label, line, request, None
        yield at + 500, "answered", "dashboard 4711.ab", label, line, request, "allow"


def stocked(path, folder, count):
    """Returns permtui on a store whose journal has this many requests today."""
    store = folder / "permissions.sqlite"
    environment = {"HOME": str(folder), "PERMTUI_STORE": str(store), "XDG_RUNTIME_DIR": str(folder)}
    os.system(f"env {' '.join(f'{key}={value}' for key, value in environment.items())} {path} allow me camera >/dev/null")
    with sqlite3.connect(store) as database:
        database.executemany(ENTRY, entries(count))
    return Program(f"{count} requests", [path], environment=environment, last_text=b"help")


def wait_for(window, text, limit=120):
    """Returns the time at which the text came."""
    end = time.perf_counter() + limit
    while text not in window.output and time.perf_counter() < end:
        window.read(0.001, limit=0.01)
    return time.perf_counter()


def measure_day(program, size):
    window, _, first, _ = start(program, *size)
    program.add("first frame ms", first if window.complete is None else (window.complete - window.started) * 1000)
    window.read(1.5)
    window.output.clear()
    sent = window.send(b"t")
    program.add("frame after the key ms", (wait_for(window, b"Reading") - sent) * 1000)
    program.add("rows of the day ms", (wait_for(window, b"agent0") - sent) * 1000)
    window.read(0.5)
    sent = window.send(b"\r")
    program.add("rows of a program ms", (wait_for(window, b"npm test") - sent) * 1000)
    window.end()
    window.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("permtui", help="a release build of permtui")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="permtui-bench-") as name:
        program = stocked(os.path.abspath(options.permtui), pathlib.Path(name), options.requests)
        for _ in range(options.turns):
            measure_day(program, (80, 24))
        os.chdir("/")
    table([program], "A day, minimum / median / maximum")


if __name__ == "__main__":
    main()
