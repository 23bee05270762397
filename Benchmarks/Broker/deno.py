#!/usr/bin/env python3
"""Measures what PermTUI costs a Deno script that opens many allowed files: with the broker, and with `-A` and none.

    deno.py PERMTUI DENO [ROUNDS]

Both take turns. Prints the microseconds that each file takes more with the broker: minimum, median and maximum of the
rounds.
"""

import os
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
        broker = subprocess.Popen([permtui, "serve"], env=environment, stdout=subprocess.DEVNULL)
        try:
            measure(permtui, deno, home, environment, rounds)
        finally:
            broker.terminate()
            broker.wait()


def measure(permtui, deno, home, environment, rounds):
    sockets = f"{home}/run/permtui/deno"
    while not os.path.exists(sockets):
        time.sleep(0.01)
    allow = [permtui, "allow", f"main.ts@{home}/app/main.ts", f"files:read@{home}/app/"]
    subprocess.run(allow, env=environment, check=True, stdout=subprocess.DEVNULL)

    def run(*options, **more):
        command = [deno, "run", "--quiet", *options, "main.ts"]
        found = subprocess.run(
            command, env=environment | more, cwd=f"{home}/app", check=True, capture_output=True, text=True)
        return float(found.stdout) * 1000 / FILES

    differences = []
    for _ in range(rounds):
        asked, free = run(DENO_PERMISSION_BROKER_PATH=sockets), run("-A")
        differences.append(asked - free)
        print(f"with the broker {asked:6.1f} µs a file, without {free:5.1f}")
    low, middle, high = min(differences), statistics.median(differences), max(differences)
    note("an allowed file in Deno", [difference / 1000 for difference in differences])
    print(f"more for each file: {low:.1f} · {middle:.1f} · {high:.1f} µs")


if __name__ == "__main__":
    main()
