"""The file of figures from which `budgets.py` makes its table."""

import json
import os
import statistics


def note(name, values):
    """Appends a figure's minimum, median and maximum to the file that BENCH_FIGURES names; without it, does nothing."""
    path = os.environ.get("BENCH_FIGURES")
    if path and values:
        figure = {"name": name, "values": [min(values), statistics.median(values), max(values)]}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(figure, ensure_ascii=False) + "\n")
