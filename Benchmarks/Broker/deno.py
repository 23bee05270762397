#!/usr/bin/env python3
"""Measures what PermTUI costs a Deno script that opens many allowed files, beside the least that any broker costs: that
of a stand-in of a few lines of Python, which allows everything without looking.

    deno.py PERMTUI DENO [ROUNDS]

The script runs with `-A` and no broker, with the stand-in, and with PermTUI, in turns. Prints the microseconds that each
file takes more with each broker: minimum, median and maximum of the rounds.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import note  # noqa: E402

FILES = 10_000
SCRIPT = """
const start = performance.now();
for (let i = 0; i < %d; i++) Deno.openSync("files/" + i).close();
console.log(performance.now() - start);
""" % FILES


def main():
    if sys.argv[1] == "--allow-everything":
        return allow_everything(sys.argv[2])
    permtui, deno = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 11
    with tempfile.TemporaryDirectory() as home:
        home = os.path.realpath(home)
        for name in ("run", "app/files"):
            os.makedirs(f"{home}/{name}", mode=0o700)
        for number in range(FILES):
            open(f"{home}/app/files/{number}", "w").close()
        with open(f"{home}/app/main.ts", "w") as file:
            file.write(SCRIPT)
        environment = {
            "HOME": home, "XDG_RUNTIME_DIR": f"{home}/run", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
            "DENO_DIR": f"{home}/cache", "DENO_NO_UPDATE_CHECK": "1",
        }
        brokers = [
            subprocess.Popen([permtui, "serve"], env=environment, stdout=subprocess.DEVNULL),
            subprocess.Popen([sys.executable, __file__, "--allow-everything", f"{home}/stand-in"]),
        ]
        try:
            measure(permtui, deno, home, environment, rounds)
        finally:
            for broker in brokers:
                broker.terminate()
                broker.wait()


def measure(permtui, deno, home, environment, rounds):
    sockets = {"PermTUI": f"{home}/run/permtui/deno", "the stand-in": f"{home}/stand-in"}
    while not all(os.path.exists(path) for path in sockets.values()):
        time.sleep(0.01)
    allow = [permtui, "allow", f"main.ts@{home}/app/main.ts", f"files:read@{home}/app/"]
    subprocess.run(allow, env=environment, check=True, stdout=subprocess.DEVNULL)

    def run(*options, **more):
        command = [deno, "run", "--quiet", *options, f"{home}/app/main.ts"]
        found = subprocess.run(
            command, env=environment | more, cwd=f"{home}/app", check=True, capture_output=True, text=True)
        return float(found.stdout) * 1000 / FILES

    differences = {name: [] for name in sockets}
    for _ in range(rounds):
        free = run("-A")
        for name, path in sockets.items():
            differences[name].append(run(DENO_PERMISSION_BROKER_PATH=path) - free)
        print(f"without a broker {free:5.1f} µs a file, more with "
              + ", ".join(f"{name} {found[-1]:5.1f}" for name, found in differences.items()))
    for name, found in differences.items():
        print(f"more for each file with {name}: {min(found):.1f} · {statistics.median(found):.1f} · {max(found):.1f} µs")
    note("an allowed file in Deno", [difference / 1000 for difference in differences["PermTUI"]])
    note("an allowed file in Deno, stand-in", [difference / 1000 for difference in differences["the stand-in"]])


def allow_everything(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            with listener.accept()[0] as connection:
                answer_all(connection)


def answer_all(connection):
    rest = b""
    while chunk := connection.recv(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number = line.partition(b'"id":')[2].partition(b",")[0]
            connection.sendall(b'{"id":' + number + b',"result":"allow"}\n')


if __name__ == "__main__":
    main()
