#!/usr/bin/env python3
"""Prints one table: each budget, the figure, the peer's figure of the same run, and whether the budget was reached.

    BENCH_FIGURES=FILE scripts/bench        writes the figures, one JSON object a line, and runs this at its end
    Benchmarks/budgets.py FILE [PAGE]       prints the table again; with a page, also writes it between its marks

Figures are minimum / median / maximum; the median counts. It never fails for a figure.
"""

import json
import pathlib
import sys

START, END = "<!-- budgets: written by UPDATE=1 make bench -->", "<!-- end of budgets -->"


class Budget:
    def __init__(self, what, figure, limit, unit="", peer=None, ahead=False):
        self.what = what
        self.figure = figure
        self.limit = limit
        self.unit = unit
        # The name of the peer, and the peer's figure.
        self.peer = peer
        # Whether the figure must also be smaller than the peer's.
        self.ahead = ahead


def screen(size, decisions, what):
    return f"{size} permtui {decisions}: {what}"


def beside(peer, size, what):
    return peer, f"{size} {peer}: {what}"


BUDGETS = [
    Budget("first frame, 1 000 decisions", screen("80x24", 1000, "first frame ms"), 12, "ms",
           beside("tig", "80x24", "first frame ms"), ahead=True),
    Budget("first frame, 100 000", screen("80x24", 100000, "first frame ms"), 60, "ms"),
    Budget("key to the last byte, 1 000", screen("80x24", 1000, "key to last byte ms"), 1, "ms",
           beside("tig", "80x24", "key to last byte ms")),
    Budget("key to the last byte, 100 000", screen("80x24", 100000, "key to last byte ms"), 1, "ms"),
    Budget("key to the last byte, 200×60", screen("200x60", 1000, "key to last byte ms"), 1.5, "ms",
           beside("tig", "200x60", "key to last byte ms")),
    Budget("bytes of 18 queued keys, one paint", screen("80x24", 1000, "18 queued keys bytes"), 1000),
    Budget("Esc to paint", screen("80x24", 1000, "Esc to paint ms"), 35, "ms"),
    Budget("SIGTERM to a restored terminal", screen("80x24", 1000, "SIGTERM to restored ms"), 20, "ms"),
    Budget("wake-ups in ten idle seconds", screen("80x24", 1000, "idle wake-ups"), 0),
    Budget("memory after the first frame", screen("80x24", 1000, "memory MiB"), 24, "MiB"),
    Budget("`--version`, whole process", "permtui --version, whole process", 5, "ms"),
    Budget("a known answer, whole process", "known answer, whole process", 9, "ms"),
    Budget("`permtui hook` with a known answer", "hook with a known answer, whole process", 10, "ms"),
    Budget("`permtui hook` if nobody is there", "hook if nobody is there, whole process", 50, "ms"),
    Budget("an alert elsewhere, beyond starting the client", "median beyond starting the client", 10, "ms"),
    Budget("an alert for the desktop's portal", "the portal's call to the painted alert", 10, "ms"),
    Budget("a change of a desktop's row, 100 rows", "a change of a desktop's row, 100 rows, painted", 50, "ms"),
    Budget("a change of a desktop's row, 10 000", "a change of a desktop's row, 10000 rows, painted", 50, "ms"),
    Budget("an allowed file in Deno, each", "an allowed file in Deno", 0.5, "ms",
           ("stand-in", "an allowed file in Deno, stand-in")),
    Budget("start of walls and `true`", "walls: start of walls and true", 25, "ms"),
    Budget("a known open behind walls", "walls: known open and close", 120, "µs"),
    Budget("a known connection behind walls", "walls: known connection", 0.3, "ms"),
    Budget("`git status` behind walls, times outside", "walls: git status of 5 000 files, times outside", 3),
    Budget("a compile behind walls, times outside", "walls: a compile, times outside", 1.5),
    Budget("an ask behind walls, beyond the person", "walls: an ask beyond the person", 1, "ms"),
    Budget("taking back behind walls", "walls: taking back, beyond the command that denies", 50, "ms"),
    Budget("memory of walls with 100 000 names", "walls: memory with 100 000 names", 48, "MiB"),
    Budget("look-up of a decision", "look-up among 100 000", 40, "µs"),
    Budget("durable decision, times a bare commit", "durable decision, times a bare commit", 1.5),
    Budget("look-up of a decided value, 50 000 of one program", "look-up of a decided value", 40, "µs"),
    Budget("look-up of an undecided value", "look-up of an undecided value", 40, "µs"),
    Budget("durable decision about a value, times a bare commit",
           "durable decision about a value, times a bare commit", 1.5),
    Budget("first frame with values, more than without", "first frame ms, with values", 5, "%"),
    Budget("key with values, more than without", "key to last byte ms, with values", 5, "%"),
    Budget("100 000 no-ops, times Foundation's queue", "no-op operations, 100000, Foundation.OperationQueue", 0.5),
    Budget("100 000 no-ops, times a task group", "no-op operations, 100000, task group", 1),
    Budget("20 000 with a condition, times by hand", "one condition, 20000, by hand, task group", 1.2),
    Budget("20 000 in a category, times by hand", "one category, 20000, by hand, group and mutex", 1.2),
    Budget("20 000 with both, times by hand", "one condition and one category, 20000, by hand, group and mutex", 1.8),
    Budget("a chain of 20 000, times by hand", "a chain, 20000, by hand, tasks", 1),
    Budget("1 000 after each of 1 000, times by hand",
           "two layers, each of the second after all of the first, 1000, by hand, tasks", 1),
    Budget("enqueue to execute at p50, times by hand", "kernel/hand at p50", 1.5),
    Budget("peak memory of 1 000 000 no-ops", "peak memory of kernel", 200, "MiB",
           ("task group", "peak memory of task group")),
    Budget("heap of an operation that waits", "heap of an operation that waits on a dependency", 512, "bytes"),
]


def short(value):
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".") if value < 10 else f"{value:.1f}".rstrip("0").rstrip(".")


def text(figure):
    if figure is None:
        return "not measured"
    low, middle, high = figure
    return short(middle) if low == high else f"{short(low)} / {short(middle)} / {short(high)}"


def row(budget, figures):
    figure = figures.get(budget.figure)
    name, key = budget.peer or ("", "")
    peer = figures.get(key)
    limit = f"≤ {short(budget.limit)}" if budget.limit else "0"
    limit += f" {budget.unit}" if budget.unit else ""
    if budget.ahead:
        limit += f", before {name}"
    if figure is None:
        reached = "–"
    else:
        is_ahead = not budget.ahead or peer is None or figure[1] < peer[1]
        reached = "yes" if figure[1] <= budget.limit and is_ahead else "**no**"
    return [budget.what, limit, text(figure), f"{name} {text(peer)}" if peer else "–", reached]


def table(figures):
    rows = [["what", "budget", "figure", "peer", "reached"]] + [row(budget, figures) for budget in BUDGETS]
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in rows]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def write(page, lines):
    path = pathlib.Path(page)
    before, _, rest = path.read_text().partition(START)
    _, end, after = rest.partition(END)
    if not end:
        sys.exit(f"{page} has no '{START}' with '{END}' after it")
    path.write_text("\n".join([before + START, "", *lines, "", END]) + after)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    figures = {}
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        figure = json.loads(line)
        figures[figure["name"]] = figure["values"]
    lines = table(figures)
    print("\n".join(lines))
    if len(sys.argv) == 3:
        write(sys.argv[2], lines)


if __name__ == "__main__":
    main()
