#!/usr/bin/env python3
"""Writes as many decisions as the first argument says, for `permtui import`. With a second argument, `values`, half of
them are decisions of one program about files, hosts and command lines. With `without-values`, the same half is about the
same capabilities as a whole, each of another program. The output depends only on the arguments.
"""

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


def decision_with_value(number):
    file = f"/home/ana/src/project-{number % 97}/packages/core/src/file-{number}.ts"
    capability, atom, scope = [
        ("files", "read", {"path": file}),
        ("files", "write", {"path": file}),
        ("network", "connect", {"host": f"host-{number}.example.com", "port": 443}),
        ("commands", "run", {"command": f"make target-{number}"}),
    ][number // 2 % 4]
    return {
        **decision(number), "program": "agent", "path": "/home/ana/bin/agent", "capability": capability, "atom": atom,
        "scope": scope,
    }


def decision_without_value(number):
    """The decision that `values` makes about a value, about everything instead. All commands cannot be allowed for ever."""
    capability = decision_with_value(number)["capability"]
    verdict = "deny" if capability == "commands" else decision(number)["verdict"]
    return {
        **decision(number), "capability": capability, "atom": decision_with_value(number)["atom"], "verdict": verdict,
    }


KINDS = {"values": decision_with_value, "without-values": decision_without_value}


def main():
    count = int(sys.argv[1])
    make_odd = KINDS[sys.argv[2]] if sys.argv[2:] else decision
    print(json.dumps({"permtui": "decisions", "format": 2}))
    for number in range(count):
        make = make_odd if number % 2 else decision
        print(json.dumps({key: value for key, value in make(number).items() if value is not None}))


if __name__ == "__main__":
    main()
