#!/usr/bin/env python3
"""Measures programs that ask and persons that answer, over real sockets, processes and pseudo-terminals.

    Benchmarks/Broker/broker.py .build/release/permtui

Every figure is `minimum / median / maximum`. It never fails for a figure: machines differ.
"""

import argparse
import fcntl
import json
import os
import pathlib
import re
import resource
import signal
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import termios
import time

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ("", "Screen")]
from figures import note  # noqa: E402
from meter import ENVIRONMENT, Window  # noqa: E402

INTERFACE = "io.permtui.Broker"

# Asks on an existing connection, on command; prints the time at which it sent the bytes.
ASKER = """
import json, socket, sys, time
connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
connection.connect(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
call = {"method": "io.permtui.Broker.Request", "more": True,
        "parameters": {"capability": "photos", "milliseconds": 60000}}
message = json.dumps(call).encode() + b"\\0"
sent = time.perf_counter()
connection.sendall(message)
print(sent, flush=True)
while connection.recv(65536):
    pass
"""

# Repeats requests, each on a connection of its own, and prints their states.
REPEATER = """
import json, signal, socket, sys

def repeat(number, name):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(sys.argv[1])
    call = {"method": "io.permtui.Broker.Request", "more": True,
            "parameters": {"id": name, "capability": "photos", "label": f"waiting-{number}"}}
    connection.sendall(json.dumps(call).encode() + b"\\0")
    return connection

def state(connection):
    text = b""
    while b"\\0" not in text:
        data = connection.recv(65536)
        if not data:
            return "refused"
        text += data
    reply = json.loads(text.partition(b"\\0")[0])
    return reply.get("parameters", {}).get("state") or json.dumps(reply)

connections = [repeat(number, name) for number, name in json.loads(sys.argv[2])]
print(",".join({state(connection) for connection in connections}), flush=True)
signal.pause()
"""


# The folder in which this process began, from which its own path leads to this file.
BEGAN = os.getcwd()


class Connection:
    """One connection, on which one call is made after the other."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.rest = b""

    def send(self, method, more=False, **parameters):
        call = {"method": f"{INTERFACE}.{method}", "parameters": parameters}
        if more:
            call["more"] = True
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.rest:
            data = self.socket.recv(1 << 16)
            if not data:
                raise ConnectionError("the broker went away")
            self.rest += data
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.send(method, **parameters)
        reply = self.receive()
        if "error" in reply:
            raise RuntimeError(reply)
        return reply["parameters"]


class Home:
    """A person's folders, with pictures, so that photos can be asked for."""

    def __init__(self, permtui):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="permtui-"))
        for name in ("run", "bin", "Pictures"):
            (self.folder / name).mkdir(mode=0o700)
        self.permtui = permtui
        self.environment = {
            **ENVIRONMENT, "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "PATH": f"{pathlib.Path(permtui).parent}:{os.environ['PATH']}",
        }
        self.sockets = self.folder / "run" / "permtui"
        self.store = self.folder / ".local/state/permtui/permissions.sqlite"

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def run(self, *arguments):
        return subprocess.run(
            [self.permtui, *arguments], env=self.environment, capture_output=True, text=True, check=False)

    def serve(self):
        broker = subprocess.Popen(
            [self.permtui, "serve"], env=self.environment, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        broker.stderr.readline()
        return broker

    def dashboard(self, state=b"listening"):
        window = Window([self.permtui], 100, 40, self.environment, str(self.folder))
        wait_for(window, state, 10)
        window.read(0.8)
        return window

    def connect(self, name):
        return Connection(str(self.sockets / name))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Repeater:
    """A program of its own that repeats waiting requests, and stays until it is ended."""

    def __init__(self, home, ids, first):
        numbered = [(first + place, name) for place, name in enumerate(ids)]
        # Writing the file again would make it an edited program.
        path = home.folder / "bin" / f"repeater-{first}.py"
        if not path.exists():
            home.program(path.name, REPEATER)
        self.process = subprocess.Popen(
            [sys.executable, str(path), str(home.sockets / "ask"), json.dumps(numbered)],
            stdout=subprocess.PIPE, text=True)

    def wait(self):
        states = self.process.stdout.readline().strip()
        if states != "waiting":
            sys.exit(f"not waiting: {states}")

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class DeafBroker:
    """Records when a client's call arrives: this measures the client alone, without a broker's work."""

    def __init__(self, home):
        self.home = home
        folder = home.folder / "deaf"
        folder.mkdir(mode=0o700)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(folder / "ask"))
        os.chmod(folder / "ask", 0o600)
        self.socket.listen()
        self.environment = {**home.environment, "PERMTUI_SOCKETS": str(folder)}

    def milliseconds_until_asked(self, name):
        program = self.home.program(name, "#!/bin/sh\npermtui request photos </dev/null\n:\n")
        began = time.perf_counter()
        client = subprocess.Popen(
            [program], env=self.environment, start_new_session=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        connection, _ = self.socket.accept()
        asked = connection.recv(1 << 16)
        milliseconds = (time.perf_counter() - began) * 1000
        if b"Request" not in asked:
            sys.exit(f"the client did not ask: {asked!r}")
        connection.sendall(b'{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"Request"}}\0')
        connection.close()
        client.wait()
        return milliseconds


def wait_for(window, text, limit=5.0):
    """Returns the time when the screen received a text that is painted in one piece."""
    start = len(window.output)
    end = time.perf_counter() + limit
    while time.perf_counter() < end:
        _, last, _ = window.read(0.0005, limit=0.002)
        if text in window.output[start:]:
            # The time of its last byte, not the time when the silence after it was noticed.
            return last
    sys.exit(f"{text!r} did not come: {bytes(window.output[start:])[-500:]!r}")


def report(what, figures, unit="ms"):
    note(what, figures)
    if figures:
        low, middle, high = min(figures), statistics.median(figures), max(figures)
        print(f"{what:58} {low:9.2f} / {middle:9.2f} / {high:9.2f} {unit}", flush=True)


def dismiss(control, window):
    """Ends the present alert, so that the next one can be shown."""
    for waiting in control.call("Pending")["requests"]:
        control.call("Answer", id=waiting["alert"]["request"]["id"])
    close_withdrawn(window)


def close_withdrawn(window):
    """A withdrawn alert stays until it is closed; the next one comes after half a second without a key."""
    window.read(0.1)
    window.send(b"\x1b")
    window.read(0.8, limit=1.5)


def measure_alert(home, rounds):
    """Measures from a request over a connection to the alert on another process's screen."""
    window = home.dashboard()
    report("request sent → alert painted elsewhere", alerts(home, window, rounds))
    window.end()
    window.close()


def alerts(home, window, rounds):
    """Returns the milliseconds from requests over connections until their alerts are painted in a window."""
    figures = []
    for number in range(rounds):
        asker, terminal = start_elsewhere(
            [sys.executable, home.program(f"asker-{number}.py", ASKER), str(home.sockets / "ask")])
        asker.stdout.readline()
        window.read(0.05)
        asker.stdin.write("\n")
        asker.stdin.flush()
        seen = wait_for(window, b"asks to")
        figures.append((seen - float(asker.stdout.readline())) * 1000)
        asker.kill()
        asker.wait()
        os.close(terminal)
        close_withdrawn(window)
    return figures


def start_elsewhere(command):
    """Starts a program on a terminal of its own, so that its requests do not count together with those of others."""
    terminal, slave = os.openpty()

    def take_terminal():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    program = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=take_terminal)
    os.close(slave)
    return program, terminal


def measure_client(home, rounds):
    """Measures from the start of the client to the alert on another process's screen."""
    window = home.dashboard()
    control = home.connect("control")
    deaf = DeafBroker(home)
    started, asked = [], []
    for number in range(rounds):
        started.append(deaf.milliseconds_until_asked(f"start-{number}"))
        program = home.program(f"client-{number}", "#!/bin/sh\npermtui request photos </dev/null\n:\n")
        window.read(0.05)
        began = time.perf_counter()
        client = subprocess.Popen(
            [program], env=home.environment, start_new_session=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        asked.append((wait_for(window, b"asks to") - began) * 1000)
        dismiss(control, window)
        client.wait()
    report("script with permtui request → it has asked", started)
    report("script with permtui request → alert painted elsewhere", asked)
    report("median beyond starting the client", [statistics.median(asked) - statistics.median(started)])
    window.end()
    window.close()


def spend(arguments, environment):
    """Runs a program to its end, and returns its milliseconds and its use of resources."""
    nothing = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, nothing, descriptor) for descriptor in range(3)]
    began = time.perf_counter()
    child = os.posix_spawn(arguments[0], arguments, environment, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    milliseconds = (time.perf_counter() - began) * 1000
    os.close(nothing)
    if status:
        sys.exit(f"{arguments} ended with {os.waitstatus_to_exitcode(status)}")
    return milliseconds, usage


def measure_hook(home, rounds):
    """Measures a whole hook process: one whose question has a known answer, and one that finds nobody to ask."""
    me = os.path.realpath(__file__)
    # An agent is known by the folder of its process, and this one went to the folders of its windows.
    os.chdir(BEGAN)
    home.run("allow", f"claude@{me}", "files:read@/etc/", "--in", os.getcwd())
    known, silent = [], []
    for path, into, expected in (("/etc/hostname", known, True), ("/usr/lib/os-release", silent, False)):
        message = json.dumps({
            "session_id": "bench", "cwd": os.getcwd(), "hook_event_name": "PermissionRequest", "tool_name": "Read",
            "tool_input": {"file_path": path}})
        for _ in range(rounds):
            began = time.perf_counter()
            ended = subprocess.run(
                [home.permtui, "hook", "--sockets", str(home.sockets)], env=home.environment, input=message,
                capture_output=True, text=True, check=False)
            into.append((time.perf_counter() - began) * 1000)
            if ended.returncode or ('"allow"' in ended.stdout) != expected:
                sys.exit(f"the hook said {ended.stdout!r} about {path}: {ended.stderr}")
    report("hook with a known answer, whole process", known)
    report("hook if nobody is there, whole process", silent)


def measure_known(home, rounds):
    """Measures a whole client process whose request has a known answer."""
    broker = home.serve()
    command = [home.permtui, "request", "photos", "--as", "known"]
    me = os.path.realpath(__file__)
    home.run("allow", f"known@{me}", "photos")
    figures, versions, faults = [], [], []
    for _ in range(rounds):
        for arguments, into in ((command, figures), ([home.permtui, "--version"], versions)):
            milliseconds, usage = spend(arguments, home.environment)
            into.append(milliseconds)
        faults.append(usage.ru_minflt + usage.ru_majflt)
    report("known answer, whole process", figures)
    measure_hook(home, rounds)
    report("permtui --version, whole process", versions)
    report("page faults of permtui --version", faults, "")
    broker.terminate()
    broker.wait()


def measure_status(home, calls):
    broker = home.serve()
    ask = home.connect("ask")
    ask.call("Status", capability="photos")
    rates = []
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(calls // 5):
            ask.call("Status", capability="photos")
        rates.append(calls / 5 / (time.perf_counter() - began))
    report("status calls on one connection, one after the other", rates, "per second")
    broker.terminate()
    broker.wait()


def resident(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def measure_memory(home, requests):
    """Measures the broker's memory while one program repeats a request with a known answer."""
    home.run("allow", f"known@{os.path.realpath(__file__)}", "photos")
    broker = home.serve()
    ask = home.connect("ask")
    samples = []
    began = time.perf_counter()
    for number in range(1, requests + 1):
        reply = ask.call("Request", capability="photos", label="known")
        if reply["state"] != "allowed":
            sys.exit(f"a known answer was {reply}")
        if number % (requests // 10) == 0:
            samples.append(resident(broker.pid))
    rate = requests / (time.perf_counter() - began)
    steps = " ".join(f"{value:.1f}" for value in samples)
    print(f"resident MiB of the broker after each tenth of {requests} requests: {steps} ({rate:.0f} requests/s)")
    broker.terminate()
    broker.wait()


def copy_request(database, number, copies, ids):
    """Adds copies of a waiting request that its program can repeat under their own ids and labels."""
    cursor = database.execute("SELECT * FROM requests WHERE id = ?", (ids[number],))
    columns = [column[0] for column in cursor.description]
    row = dict(zip(columns, cursor.fetchone()))
    for copy in copies:
        body = row["body"].replace(ids[number], ids[copy]).replace(f'"waiting-{number}"', f'"waiting-{copy}"')
        values = row | {"id": ids[copy], "label": f"waiting-{copy}", "body": body}
        database.execute(f"INSERT INTO requests VALUES ({','.join('?' * len(columns))})", list(values.values()))


def measure_waiting(home, count, keys):
    """Measures a key in a dashboard without waiting requests, and with many."""
    def keys_of(window, what, pressed=(b"\x1bOB", b"\x1bOA")):
        figures = []
        for number in range(keys):
            milliseconds, _ = window.measure_key(pressed[number // 5 % 2])
            if milliseconds is not None:
                figures.append(milliseconds)
        report(what, figures)

    window = home.dashboard()
    keys_of(window, "key to last byte, nothing waits")
    window.end()
    window.close()

    repeat = store_waiting(home, count)
    window = home.dashboard()
    end = repeat()
    # The first alert is shown once it is quiet; Tab moves its focus.
    window.read(1.5, limit=20)
    keys_of(window, f"key in an alert, {count} waiting", pressed=(b"\t", b"\t"))
    window.end()
    window.close()
    end()


def measure_alert_among(home, count, rounds):
    """Measures alerts on another process's screen, while many requests wait that were set aside there.

    At most 999: the broker lets a thousand wait, and the new one is one of them. A new request of the terminal from which
    200 others come would be refused, so this must run without one: setsid.
    """
    repeat = store_waiting(home, count)
    broker = home.serve()
    window = home.dashboard(b"second dashboard")
    end = repeat()

    def left():
        # A connection that is idle for ten minutes is closed.
        waiting = home.connect("control").call("Pending")["requests"]
        return sum("aside" not in request for request in waiting)

    # The next alert comes up after half a second without a key, so this takes ten minutes for a thousand of them.
    while rest := left():
        for _ in range(rest):
            window.read(0.1, limit=2)
            window.wait_for_bytes(limit=1)
            window.read(0.02, limit=1)
            window.send(b"\x1b")
    window.read(1.5, limit=20)
    report(f"request sent → alert painted elsewhere, {count} set aside", alerts(home, window, rounds))
    window.end()
    window.close()
    end()
    broker.terminate()
    broker.wait()


def store_waiting(home, count):
    """Puts waiting requests into the store. Returns a function that has their programs repeat them at the next broker, and
    that returns one which ends these programs."""
    # The next broker does not count requests again that waited when the last one ended, so that many may ask at once. Only
    # the program that asked may repeat a request, and a program has at most 100 connections.
    ids = [f"waiting-{number:012}" for number in range(count)]
    groups = range(0, count, 90)
    broker = home.serve()
    askers = [Repeater(home, ids[first:first + 1], first) for first in groups]
    for asker in askers:
        asker.wait()
    broker.terminate()
    broker.wait()
    with sqlite3.connect(home.store) as database:
        for first in groups:
            copy_request(database, first, range(first + 1, min(first + 90, count)), ids)

    def repeat():
        repeaters = [Repeater(home, ids[first:first + 90], first) for first in groups]
        for repeater in repeaters:
            repeater.wait()

        def end():
            for program in repeaters + askers:
                program.end()
        return end
    return repeat


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("permtui")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument("--requests", type=int, default=100_000)
    arguments.add_argument("--aside", type=int, default=50, help="how many requests are set aside for the measure 'among'")
    arguments.add_argument("--only", default="", help="alert, client, known, status, one, waiting, among or memory")
    options = arguments.parse_args()
    permtui = os.path.realpath(options.permtui)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    for name, measure in {
        # Each has a broker of its own, which admits only so many new programs of one family in a while.
        "alert": lambda home: measure_alert(home, options.rounds),
        "client": lambda home: measure_client(home, options.rounds),
        "known": lambda home: measure_known(home, options.rounds * 3),
        "status": lambda home: measure_status(home, 20_000),
        "one": lambda home: measure_waiting(home, 1, options.rounds * 4),
        "waiting": lambda home: measure_waiting(home, 1000, options.rounds * 4),
        "among": lambda home: measure_alert_among(home, options.aside, options.rounds),
        "memory": lambda home: measure_memory(home, options.requests),
    }.items():
        if options.only not in ("", name):
            continue
        home = Home(permtui)
        try:
            measure(home)
        finally:
            home.remove()


if __name__ == "__main__":
    main()
