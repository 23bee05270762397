#!/usr/bin/env python3
"""Compares permtui on a store with values to permtui on a store of the same size without, in turns.

    Benchmarks/Screen/values.py .build/release/permtui

Half of the decisions with values are those of one program. The other store has decisions about the same capabilities
in their place, so that both screens show as much. Every figure is `minimum / median / maximum`. It never fails
for a figure.
"""

import argparse
import os
import pathlib
import statistics
import tempfile

from screen import measure_keys, measure_start, note, permtui, table

COMPARED = ["first frame ms", "key to last byte ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("permtui", help="a release build of permtui")
    # A key takes up to a tenth longer in one process than in another with the same store, so many processes count.
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--starts", type=int, default=3, help="starts in each turn")
    parser.add_argument("--keys", type=int, default=20, help="keys in each turn")
    parser.add_argument("--decisions", type=int, default=100000)
    options = parser.parse_args()
    path, size = os.path.abspath(options.permtui), (80, 24)
    with tempfile.TemporaryDirectory(prefix="permtui-bench-") as name:
        folder = pathlib.Path(name)
        plain = permtui(path, folder, options.decisions, "without-values")
        values = permtui(path, folder, options.decisions, "values")
        for turn in range(options.turns):
            for program in [plain, values] if turn % 2 else [values, plain]:
                for _ in range(options.starts):
                    measure_start(program, size)
                measure_keys(program, size, options.keys)
        os.chdir("/")
    table([plain, values], "A store without and with values, minimum / median / maximum")
    for what in COMPARED:
        before, after = (statistics.median(program.figures[what]) for program in (plain, values))
        more = (after / before - 1) * 100
        note(f"{what}, with values", [more])
        print(f"{what}, with values: {more:+.1f} %")


if __name__ == "__main__":
    main()
