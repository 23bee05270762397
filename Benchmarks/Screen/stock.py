#!/usr/bin/env python3
"""Writes as many decisions as the argument says, for `permtui import`. The output depends only on that number."""

import json
import sys

PARTS = [
    ("photos", "read"), ("photos", "add-only"), ("calendar", "events"), ("calendar", "reminders"),
    ("location", "when-in-use"), ("contacts", "read"), ("camera", "use"), ("microphone", "use"),
]
# 2026-01-01, in microseconds; one decision per minute from there.
START, MINUTE = 1_767_225_600_000_000, 60_000_000


def decision(number):
    capability, atom = PARTS[number % len(PARTS)]
    program = f"program-{number // len(PARTS):05}"
    return {
        "program": program, "path": f"/home/ana/bin/{program}.sh", "file": None, "sandboxed": None,
        "capability": capability, "atom": atom, "verdict": "deny" if number % 5 == 4 else "allow",
        "lifetime": "forever", "origin": "command-line", "note": None, "decidedAt": START + number * MINUTE,
        "lastUsed": None,
    }


def main():
    print(json.dumps({"permtui": "decisions", "format": 1}))
    for number in range(int(sys.argv[1])):
        print(json.dumps({key: value for key, value in decision(number).items() if value is not None}))


if __name__ == "__main__":
    main()
