#!/usr/bin/env python3
"""Measures programs' use of the screen, all in one run, on a pseudo-terminal.

    Benchmarks/Screen/screen.py .build/release/permtui

Every figure is `minimum / median / maximum`. Programs take turns in every round, so that a busy moment of the machine
affects all of them. It never fails for a figure: machines differ, and only the comparison within one run counts.
"""

import argparse
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import note  # noqa: E402
from meter import Window, spent  # noqa: E402

DOWN, UP, ESCAPE = b"\x1bOB", b"\x1bOA", b"\x1b"
FIRST_FRAME_SILENCE = 0.25
SETTLING = 8.0


class Program:
    """A program to run, and the keys that open its screens."""

    def __init__(self, name, command, help_key=None, list_key=None, environment=None, folder="/", last_text=None):
        self.name = name
        self.command = command
        # Opens something that Escape closes; None if there is no such thing.
        self.help_key = help_key
        # Opens a list without details of the selected row; None if there is no such list.
        self.list_key = list_key
        self.environment = environment or {}
        self.folder = folder
        # The end of the first frame, for programs that continue to draw after it.
        self.last_text = last_text
        self.figures = {}

    def add(self, what, value):
        if value is not None:
            self.figures.setdefault(what, []).append(value)

    def open(self, columns, rows):
        return Window(self.command, columns, rows, self.environment, self.folder, self.last_text)


def start(program, columns, rows):
    window = program.open(columns, rows)
    window.wait_for_bytes()
    first, last, count = window.read(FIRST_FRAME_SILENCE)
    if last is None:
        window.kill()
        sys.exit(f"{program.name} drew nothing: {' '.join(program.command)}")
    return window, (first - window.started) * 1000, (last - window.started) * 1000, count


def measure_start(program, size):
    window, first, last, count = start(program, *size)
    complete = last if window.complete is None else (window.complete - window.started) * 1000
    program.add("first byte ms", first)
    program.add("first frame ms", complete)
    program.add("end of the start ms", last)
    program.add("bytes of the start", count)
    program.add("memory MiB", window.memory())
    program.add("threads", len(window.usage()))
    ended = window.end()
    program.add("SIGTERM to restored ms", window.restored)
    program.add("SIGTERM to end ms", ended)
    program.add("restored %", 100 if ended is not None and window.is_restored() else 0)
    window.close()


def measure_keys(program, size, keys):
    window, *_ = start(program, *size)
    before = window.usage()
    for number in range(keys):
        milliseconds, count = window.measure_key(DOWN if number // 5 % 2 == 0 else UP)
        program.add("key to last byte ms", milliseconds)
        if count:
            program.add("bytes per key", count)
    program.add("CPU ms per key", spent(before, window.usage())[0] / keys)
    for _ in range(5):
        milliseconds, count = window.measure_key(DOWN * 18, silence=0.1)
        program.add("18 queued keys ms", milliseconds)
        program.add("18 queued keys bytes", count)
        window.measure_key(UP * 18, silence=0.1)
    window.end()
    window.close()


def measure_list(program, size, keys):
    """Measures keys that move the selection and change nothing else."""
    if program.list_key is None:
        return
    window, *_ = start(program, *size)
    window.measure_key(program.list_key, silence=0.2)
    for number in range(keys):
        _, count = window.measure_key(DOWN if number // 5 % 2 == 0 else UP)
        program.add("bytes per key in a list", count)
    window.end()
    window.close()


def measure_escape(program, size, rounds):
    """Measures from Escape to the first byte of the reaction."""
    if program.help_key is None:
        return
    for _ in range(rounds):
        window, *_ = start(program, *size)
        if program.help_key:
            window.send(program.help_key)
            window.wait_for_bytes(2)
            window.read(0.2)
        sent = window.send(ESCAPE)
        if window.wait_for_bytes(3):
            first, _, _ = window.read(0.05)
            program.add("Esc to paint ms", None if first is None else (first - sent) * 1000)
        window.kill()
        window.close()


def measure_resize(program, size, rounds):
    for _ in range(rounds):
        window, *_ = start(program, *size)
        sent = window.send(b"")
        window.resize(size[0] + 40, size[1] + 16)
        window.wait_for_bytes(2)
        _, last, count = window.read(0.1)
        if last is not None:
            program.add("resize ms", (last - sent) * 1000)
            program.add("resize bytes", count)
        window.kill()
        window.close()


def measure_idle(program, size, seconds):
    window, *_ = start(program, *size)
    # Work after the first frame is not idleness, nor is the end of pool threads without work.
    window.read(SETTLING, limit=SETTLING)
    before = window.usage()
    _, _, count = window.read(seconds, limit=seconds)
    cpu, switches = spent(before, window.usage())
    program.add("idle bytes", count)
    program.add("idle wake-ups", switches)
    program.add("idle CPU ms", cpu)
    window.end()
    window.close()


def peers(folder):
    """Returns the other programs that are installed, each with something to show."""
    repository = folder / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    for number in range(60):
        subprocess.run(
            ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q",
             "--allow-empty", "-m", f"change {number}"], check=True)
    entries = [text for number in range(40) for text in (str(number), f"entry {number}")]
    home = {"HOME": str(folder)}
    candidates = [
        Program("tig", ["tig"], environment=home, folder=str(repository)),
        Program("htop", ["htop"], help_key=b"?", environment=home),
        Program("mc", ["mc", "-x", "/usr/bin", "/usr/bin"], help_key=b"\x1bOP", environment=home),
        Program("dialog", ["dialog", "--menu", "choose", "0", "0", "0", *entries], help_key=b"", environment=home),
    ]
    return [candidate for candidate in candidates if shutil.which(candidate.command[0])]


def permtui(path, folder, decisions, *kind):
    """Returns permtui on a store with this many decisions. The kind `values` makes half of them decisions with values."""
    name = " ".join(["permtui", str(decisions), *kind])
    home = folder / name.replace(" ", "-")
    home.mkdir()
    environment = {"HOME": str(home), "PERMTUI_STORE": str(home / "permissions.sqlite"), "XDG_RUNTIME_DIR": str(home)}
    stock = pathlib.Path(__file__).with_name("stock.py")
    lines = subprocess.run([sys.executable, str(stock), str(decisions), *kind], check=True, capture_output=True).stdout
    subprocess.run([path, "import", "-"], input=lines, check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    return Program(
        name, [path], help_key=b"?", list_key=b"\r", environment=environment, last_text=b"help")


def text(values):
    def short(value):
        return f"{value:.2f}" if value < 10 and value % 1 else f"{value:.0f}"
    low, middle, high = min(values), statistics.median(values), max(values)
    return short(middle) if low == high else f"{short(low)} / {short(middle)} / {short(high)}"


def table(programs, heading):
    rows = list(dict.fromkeys(what for program in programs for what in program.figures))
    widths = [max(len(row) for row in rows)]
    columns = [[text(p.figures[row]) if row in p.figures else "–" for row in rows] for p in programs]
    widths += [max(len(p.name), *map(len, column)) for p, column in zip(programs, columns)]
    print(f"\n{heading}\n")
    print("| " + " | ".join(cell.ljust(w) for cell, w in zip(["", *(p.name for p in programs)], widths)) + " |")
    print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    for index, row in enumerate(rows):
        cells = [row, *(column[index] for column in columns)]
        print("| " + " | ".join(cell.ljust(w) for cell, w in zip(cells, widths)) + " |")


def measure(programs, size, options):
    for _ in range(options.starts):
        for program in programs:
            measure_start(program, size)
    for program in programs:
        measure_keys(program, size, options.keys)
        measure_list(program, size, options.keys)
        measure_escape(program, size, options.rounds)
        measure_resize(program, size, options.rounds)
        if options.idle:
            measure_idle(program, size, options.idle)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("permtui", help="a release build of permtui")
    parser.add_argument("--starts", type=int, default=15)
    parser.add_argument("--keys", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5, help="how often Escape and resizing are measured")
    parser.add_argument("--idle", type=float, default=10, help="seconds of idleness; 0 leaves it out")
    parser.add_argument("--decisions", type=int, nargs="*", default=[100, 1000, 10000, 100000])
    parser.add_argument("--sizes", nargs="*", default=["80x24", "200x60"])
    options = parser.parse_args()
    path = os.path.abspath(options.permtui)
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="permtui-bench-") as name:
            folder = pathlib.Path(name)
            programs = [permtui(path, folder, count) for count in options.decisions] + peers(folder)
            measure(programs, tuple(map(int, size.split("x"))), options)
            os.chdir("/")
        for program in programs:
            for what, values in program.figures.items():
                note(f"{size} {program.name}: {what}", values)
        table(programs, f"At {size}, minimum / median / maximum")


if __name__ == "__main__":
    main()
