#!/usr/bin/env python3
"""Attacks a broker as hostile programs would, and prints the cost.

    Benchmarks/Broker/hostile.py .build/release/permtui [memory door muted panicked copies ...] [--seconds 60]

Each attack has a broker and a home of its own. It never fails for a figure: the tests do that.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

INTERFACE = "io.permtui.Broker"

# The code that hostile programs share: they have access only to the socket for programs.
PRELUDE = """
import json, os, select, socket, sys, time
def connect():
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(os.environ["ASK"])
    return connection
def call(method, more=False, **parameters):
    message = {"method": "io.permtui.Broker." + method, "parameters": parameters}
    if more: message["more"] = True
    return json.dumps(message).encode() + b"\\0"
def receive(connection):
    data = b""
    while not data.endswith(b"\\0"):
        more = connection.recv(65536)
        if not more: return None
        data += more
    return json.loads(data[:-1].split(b"\\0")[-1])
"""

# A hundred connections, each with a call that waits and 64 large calls behind it.
GREEDY = PRELUDE + """
waiting, connections = call("Status", more=True, capability="photos"), []
large = call("Status", capability="photos", label="x" * 16200)
for _ in range(100):
    try:
        connection = connect()
        connection.sendall(waiting)
        connection.setblocking(False)
        connections.append([connection, large * 64])
    except OSError:
        break
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    open_ones = [one for one in connections if one[1]]
    _, ready, _ = select.select([], [one[0] for one in open_ones], [], 0.1)
    for one in open_ones:
        if one[0] in ready:
            try:
                one[1] = one[1][one[0].send(one[1]):]
            except OSError:
                one[1] = b""
print("done", flush=True)
time.sleep(600)
"""

# Holds as many waiting calls as it can.
HOLDER = PRELUDE + """
connections = []
for _ in range(100):
    try:
        connection = connect()
        connection.sendall(call("Status", more=True, capability="photos"))
        connections.append(connection)
    except OSError:
        break
print("done", flush=True)
time.sleep(600)
"""

# Asks without pause, each time with a new label, on several connections.
FLOOD = PRELUDE + """
connections = [connect() for _ in range(8)]
print(json.dumps(connections[0].sendall(call("Request", capability="photos", label="first")) or receive(
    connections[0])), flush=True)
sys.stdin.readline()
end, count = time.monotonic() + float(sys.argv[1]), 0
while time.monotonic() < end:
    for connection in connections:
        connection.sendall(call("Request", capability="photos", label="label %d" % count))
        count += 1
    for connection in connections:
        receive(connection)
print(count, flush=True)
"""

# Asks once and waits.
COPY = PRELUDE + """
connection = connect()
connection.sendall(call("Request", more=True, capability="photos"))
state = receive(connection)
print("waiting" if "error" not in state else "refused", flush=True)
time.sleep(600)
"""


class Home:
    """A person's folders with a running broker."""

    def __init__(self, program):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="permtui-hostile-"))
        for name in ("run", "bin", "Pictures"):
            (self.folder / name).mkdir(mode=0o700)
        self.environment = {
            "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder / "run"), "LC_ALL": "C.UTF-8",
            "PATH": "/usr/bin:/bin", "ASK": str(self.folder / "run/permtui/ask"),
        }
        self.started = []
        self.broker = subprocess.Popen(
            [program, "serve"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.started.append(self.broker)
        while "istening" not in self.broker.stdout.readline():
            pass

    def run(self, text, name, *arguments):
        """Starts a hostile program from a file of its own."""
        path = self.folder / "bin" / name
        path.write_text(text)
        process = subprocess.Popen(
            [sys.executable, str(path), *arguments], env=self.environment, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.started.append(process)
        return process

    def control(self, method, **parameters):
        """Makes one call like a person's command."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(self.environment["ASK"].removesuffix("ask") + "control")
            call = {"method": f"{INTERFACE}.{method}", "parameters": parameters}
            connection.sendall(json.dumps(call).encode() + b"\0")
            data = b""
            while not data.endswith(b"\0"):
                data += connection.recv(1 << 16)
            return json.loads(data[:-1])

    def memory(self, field):
        status = pathlib.Path(f"/proc/{self.broker.pid}/status").read_text()
        return int(status.split(field + ":")[1].split()[0]) / 1024

    @property
    def store(self):
        return sqlite3.connect(self.folder / ".local/state/permtui/permissions.sqlite")

    def close(self):
        for process in self.started:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)


def memory(home, _):
    greedy = [home.run(GREEDY, f"greedy-{number}.py", "8") for number in range(8)]
    for process in greedy:
        process.stdout.readline()
    print(f"memory: {home.memory('VmRSS'):.0f} MiB, at most {home.memory('VmHWM'):.0f} MiB")


def door(home, _):
    holders = [home.run(HOLDER, "holder.py") for _ in range(12)]
    for process in holders:
        process.stdout.readline()
    start = time.perf_counter()
    honest = home.run(COPY, "honest.py")
    print(f"door: another program is {honest.stdout.readline().strip() or 'shut out'} "
          f"after {1000 * (time.perf_counter() - start):.0f} ms")


def flooded(home, seconds, begin):
    flood = home.run(FLOOD, "flood.py", str(seconds))
    while not (waiting := home.control("Pending")["parameters"]["requests"]):
        time.sleep(0.01)
    begin(waiting[0]["alert"]["request"]["id"])
    flood.stdout.readline()
    lines = home.store.execute("SELECT count(*) FROM journal").fetchone()[0]
    size = home.memory("VmRSS")
    ticks = cpu(home.broker.pid)
    flood.stdin.write("go\n")
    flood.stdin.flush()
    asked = int(flood.stdout.readline())
    time.sleep(1.5)
    added = home.store.execute("SELECT count(*) FROM journal").fetchone()[0] - lines
    told = home.store.execute("SELECT total(count) FROM journal WHERE kind = 'automatic'").fetchone()[0]
    return (f"{asked} requests in {seconds} s, {added} lines of the journal that tell of {told:.0f}, "
            f"{cpu(home.broker.pid) - ticks:.1f} s CPU, {size:.0f} to {home.memory('VmRSS'):.0f} MiB")


def cpu(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def muted(home, seconds):
    def mute(request):
        # Only a dashboard can mute, so this is one.
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dashboard:
            dashboard.connect(home.environment["ASK"].removesuffix("ask") + "control")
            attach = {"method": f"{INTERFACE}.Attach", "more": True, "parameters": {"dashboard": "hostile"}}
            dashboard.sendall(json.dumps(attach).encode() + b"\0")
            data = b""
            while b'"show"' not in data:
                data += dashboard.recv(1 << 16)
            shown = [json.loads(one) for one in data.split(b"\0") if b'"show"' in one][0]["parameters"]["show"]
            answer = {"verdict": "deny", "mute": True}
            if "digest" in shown:
                answer["digest"] = shown["digest"]
            print(home.control("Respond", dashboard="hostile", alert=request, response="answered", answer=answer))
    print("muted:", flooded(home, seconds, mute))


def panicked(home, seconds):
    def panic(request):
        store = home.store
        store.execute("INSERT INTO suspension VALUES (?, 'command-line')", (int(time.time() * 1e6),))
        store.commit()
        home.control("Allow", program="flood.py@" + str(home.folder / "bin/flood.py"), capability="photos")
        home.control("Answer", id=request)
    print("panicked:", flooded(home, seconds, panic))


def copies(home, _):
    start = time.monotonic()
    running = [home.run(COPY, f"copy-{number}.py") for number in range(150)]
    states = [process.stdout.readline().strip() for process in running]
    print(f"copies: {states.count('waiting')} of 150 wait, in {time.monotonic() - start:.1f} s")


def main():
    attacks = {one.__name__: one for one in (memory, door, muted, panicked, copies)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("attacks", nargs="*", default=list(attacks))
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_intermixed_args()
    for name in arguments.attacks:
        with contextlib.closing(Home(arguments.program)) as home:
            attacks[name](home, arguments.seconds)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
