#!/usr/bin/env python3
"""Measures what walls cost a program: `permtui-run` beside the same program without walls, in turns.

    walls.py PERMTUI PERMTUI_RUN [ROUNDS]

Prints minimum, median and maximum of each figure. Needs what `permtui run` needs: user namespaces and /dev/fuse.
"""

import contextlib
import json
import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import note  # noqa: E402

NAMES = 100_000
TRACKED = 5_000


class Bench:
    """A home with a store, a broker, and the files that the programs use."""

    def __init__(self, permtui, walls, home):
        self.permtui = permtui
        self.walls = walls
        self.work = f"{home}/work"
        self.environment = {
            "HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": f"{home}/run",
            "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config", "GIT_CONFIG_GLOBAL": "/dev/null",
        }
        for name in ("work/opened", "work/many", "elsewhere", "program"):
            os.makedirs(f"{home}/{name}")
        os.mkdir(f"{home}/run", mode=0o700)
        self.elsewhere = f"{home}/elsewhere"
        self.program = f"{home}/program/inside.py"
        shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "inside.py"), self.program)
        self.serve = subprocess.Popen(
            [permtui, "serve"], env=self.environment, cwd=self.work, stderr=subprocess.PIPE, text=True)
        self.serve.stderr.readline()
        self.decide("allow", f"files:write@{self.work}/")
        self.decide("allow", f"files:read@{os.path.dirname(self.program)}/")

    def decide(self, verb, capability):
        subprocess.run(
            [self.permtui, verb, "bench", capability], env=self.environment, cwd=self.work, check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def inside(self, *command):
        return [self.walls, "--as", "bench", "--", *command]

    def run(self, command):
        done = subprocess.run(command, env=self.environment, cwd=self.work, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{command} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def start(self, command):
        return subprocess.Popen(
            command, env=self.environment, cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            stdin=subprocess.PIPE)

    def both(self, rounds, *words):
        """The numbers that inside.py prints inside and outside, in turns."""
        command = ["/usr/bin/python3", self.program, *words]
        inside, outside = [], []
        for _ in range(rounds):
            inside.append(float(self.run(self.inside(*command))))
            outside.append(float(self.run(command)))
        return inside, outside


def report(name, values, unit, budget):
    note(f"walls: {name}", values)
    median = statistics.median(values)
    mark = "" if median <= budget else "   missed"
    print(f"{name}: {min(values):.3g} / {median:.3g} / {max(values):.3g} {unit} (at most {budget}){mark}", flush=True)


def start_of_walls(bench, rounds):
    def timed():
        begin = time.perf_counter()
        bench.run([bench.walls, "--as", "true", "--", "true"])
        return (time.perf_counter() - begin) * 1e3
    timed()
    report("start of walls and true", [timed() for _ in range(3 * rounds)], "ms", 25)


def known_open(bench, rounds):
    for number in range(100):
        open(f"{bench.work}/opened/{number}", "w").close()
    inside, outside = bench.both(rounds, "open")
    report("known open and close", inside, "µs", 120)
    print(f"  outside {statistics.median(outside):.2g} µs")


def known_connection(bench, rounds):
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        threading.Thread(target=accept, args=(server,), daemon=True).start()
        port = server.getsockname()[1]
        bench.decide("allow", f"network:connect@localhost:{port}")
        inside, outside = bench.both(rounds, "connect", str(port))
    report("known connection", inside, "ms", 0.3)
    print(f"  outside {statistics.median(outside):.2g} ms")


def accept(server):
    with contextlib.suppress(OSError):
        while True:
            server.accept()[0].close()


def status(bench, rounds):
    git = f"{bench.work}/repository"
    for number in range(TRACKED):
        os.makedirs(f"{git}/{number % 50}", exist_ok=True)
        with open(f"{git}/{number % 50}/{number}", "w") as file:
            file.write(f"{number}\n" * 20)
    name = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for step in (("init", "-q"), ("add", "."), ("commit", "-qm", "first"), ("status",)):
        bench.run(["git", "-C", git, *name, *step])
    inside, outside = bench.both(rounds, "time", "git", "-C", git, "status")
    report("git status of 5 000 files, times outside", ratios(inside, outside), "", 3)
    print(f"  inside {statistics.median(inside):.3g} ms, outside {statistics.median(outside):.3g} ms")


def ratios(inside, outside):
    return [one / other for one, other in zip(inside, outside)]


def compilation(bench, rounds):
    compiler = shutil.which("cc", path="/usr/bin") or shutil.which("gcc", path="/usr/bin")
    if compiler is None:
        return print("a compile: there is no C compiler in /usr/bin")
    names = []
    for number in range(12):
        names.append(f"{bench.work}/part{number}.c")
        with open(names[-1], "w") as file:
            file.write("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n")
            file.writelines(
                f"int f{number}_{i}(int x) {{ char b[64]; snprintf(b, 64, \"%d\", x); return atoi(b) + (int)strlen(b); }}\n"
                for i in range(200))
    command = f"cd {bench.work} && for f in part*.c; do {compiler} -O1 -c $f -o ${{f%.c}}.o; done"
    inside, outside = bench.both(max(1, rounds // 3), "time", "/bin/sh", "-c", command)
    report("a compile, times outside", ratios(inside, outside), "", 1.5)


def asking(bench, rounds):
    """From the program's call to the question at the broker, and from the end of the answering command to the file."""
    times = []
    for number in range(rounds):
        path = f"{bench.elsewhere}/{number}"
        open(path, "w").close()
        watch = bench.start([bench.permtui, "watch", "--json"])
        watch.stderr.readline()
        program = bench.start(bench.inside("/usr/bin/python3", bench.program, "ask", path))
        called = float(program.stdout.readline())
        for line in watch.stdout:
            if path in line:
                break
        asked = time.clock_gettime(time.CLOCK_MONOTONIC)
        watch.kill()
        watch.communicate()
        waiting = json.loads(bench.run([bench.permtui, "pending", "--json"]))
        item = find(waiting, lambda value: isinstance(value, dict) and "digest" in value)
        bench.run([bench.permtui, "answer", item["id"], "allow", "--digest", item["digest"]])
        answered = time.clock_gettime(time.CLOCK_MONOTONIC)
        opened = float(program.stdout.readline())
        program.communicate()
        times.append((asked - called + max(0, opened - answered)) * 1e3)
    report("an ask beyond the person", times, "ms", 1)


def find(value, matches):
    """The first value within a JSON value that matches."""
    if matches(value):
        return value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return next((found for part in parts if (found := find(part, matches)) is not None), None)


def taking_back(bench, rounds):
    times = []
    path = f"{bench.elsewhere}/read"
    with open(path, "w") as file:
        file.write("text\n")
    for _ in range(rounds):
        bench.decide("allow", f"files:read@{path}")
        program = bench.start(bench.inside("/usr/bin/python3", bench.program, "read", path))
        program.stdout.readline()
        bench.decide("deny", f"files:read@{path}")
        denied = time.clock_gettime(time.CLOCK_MONOTONIC)
        times.append(max(0, float(program.stdout.readline()) - denied) * 1e3)
        program.communicate()
    report("taking back, beyond the command that denies", times, "ms", 50)


def memory(bench):
    for number in range(NAMES):
        if number % 1000 == 0:
            os.mkdir(f"{bench.work}/many/{number // 1000}")
        open(f"{bench.work}/many/{number // 1000}/{number}", "w").close()
    program = bench.start(bench.inside("/usr/bin/python3", bench.program, "list", f"{bench.work}/many"))
    assert int(program.stdout.readline()) == NAMES
    with open(f"/proc/{program.pid}/status") as file:
        found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
    program.communicate("\n")
    report("memory with 100 000 names", [int(found[1]) / 1024], "MiB", 48)


def main():
    permtui, walls = map(os.path.abspath, sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    # Not below /tmp, because a run has one of its own; and files that everybody may read could be the system's.
    os.umask(0o077)
    home = os.path.realpath(tempfile.mkdtemp(dir="/var/tmp"))
    bench = None
    try:
        bench = Bench(permtui, walls, home)
        for measure in (start_of_walls, known_open, known_connection, status, compilation, asking, taking_back):
            measure(bench, rounds)
        memory(bench)
    finally:
        if bench:
            bench.serve.kill()
            bench.serve.wait()
        shutil.rmtree(home)


main()
