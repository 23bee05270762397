#!/usr/bin/env python3
"""What `walls.py` runs behind walls and without them. Prints what it has measured.

    inside.py open | connect PORT | time COMMAND... | ask FILE | read FILE
"""

import os
import socket
import subprocess
import sys
import time

OPENS = 5_000
CONNECTIONS = 200


def now():
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def open_files():
    """The microseconds of opening and closing one of a hundred files."""
    names = [f"opened/{number}" for number in range(100)]
    for name in names:
        os.close(os.open(name, os.O_RDONLY))
    start = now()
    for number in range(OPENS):
        os.close(os.open(names[number % 100], os.O_RDONLY))
    print((now() - start) / OPENS * 1e6)


def connect(port):
    """The milliseconds of a connection, the median."""
    times = []
    for _ in range(CONNECTIONS):
        start = now()
        socket.create_connection(("127.0.0.1", int(port))).close()
        times.append(now() - start)
    print(sorted(times)[CONNECTIONS // 2] * 1e3)


def run(*command):
    """The milliseconds of a command, the shortest of three, after one that warms the caches."""
    def timed():
        start = now()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return now() - start
    timed()
    print(min(timed() for _ in range(3)) * 1e3)


def ask(file):
    """When it opens a file, and when it has."""
    print(now(), flush=True)
    os.close(os.open(file, os.O_RDONLY))
    print(now(), flush=True)


def read(file):
    """Reads a file until that is an error; says when it has it open, and when the error came."""
    opened = os.open(file, os.O_RDONLY)
    print("open", flush=True)
    try:
        while True:
            os.pread(opened, 1, 0)
    except OSError:
        print(now(), flush=True)


def list_files(folder):
    """Looks at each file below a folder, says how many there are, and waits for a line."""
    print(sum(os.lstat(f"{place}/{name}").st_size == 0 for place, _, names in os.walk(folder) for name in names), flush=True)
    sys.stdin.readline()


MODES = {"open": open_files, "connect": connect, "time": run, "ask": ask, "read": read, "list": list_files}
MODES[sys.argv[1]](*sys.argv[2:])
