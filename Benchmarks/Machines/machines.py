#!/usr/bin/env python3
"""Measures a dashboard that answers for many machines: homes behind one sshd, each with a key and a forced command.

    machines.py PERMTUI [MACHINES [ROUNDS]]

Prints how long the connections take, what the dashboard costs beside ssh, how often it wakes up while nothing happens, and
how much later an alert of a machine is painted than one of its own. Both ends share the cores of this machine. Only root
can run a server of ssh that a broker trusts.
"""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

IDLE = 10
HELLO = b'{"method":"io.permtui.Bridge.Hello"}\0'


def figures(numbers):
    return " / ".join(f"{number:.1f}" for number in (min(numbers), statistics.median(numbers), max(numbers)))


class Home:
    """A home with a broker."""

    def __init__(self, path, permtui, serves=True):
        self.path = path
        self.permtui = permtui
        for name in ("run", "Pictures", "bin", ".config/permtui", ".local/state/permtui"):
            os.makedirs(f"{path}/{name}", mode=0o700)
        self.environment = {
            "HOME": path, "XDG_RUNTIME_DIR": f"{path}/run", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "PATH": f"{path}/bin:{os.path.dirname(permtui)}:/usr/bin:/bin",
        }
        self.serve = None
        if serves:
            self.serve = subprocess.Popen(
                [permtui, "serve"], env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            self.serve.stderr.readline()

    def write(self, name, text):
        with open(f"{self.path}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{self.path}/{name}", 0o700 if name.startswith("bin/") else 0o600)
        return f"{self.path}/{name}"

    def machine(self):
        """The id that the bridge of this home tells."""
        reply = subprocess.run(
            [self.permtui, "bridge"], env=self.environment, input=HELLO, capture_output=True, check=True).stdout
        return json.loads(reply.rstrip(b"\0"))["parameters"]["machine"]

    def ask(self, program):
        script = self.write(f"{program}.sh", f"permtui request photos --as {program} --wait 60\n")
        return subprocess.Popen(
            ["bash", script], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)


class Server:
    """One sshd, whose keys each lead to another home."""

    def __init__(self, folder, homes):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        os.makedirs("/run/sshd", exist_ok=True)
        self.make_key("host")
        lines = []
        for number, home in enumerate(homes, 1):
            self.make_key(f"key{number}")
            variables = " ".join(f"{name}='{value}'" for name, value in home.environment.items())
            with open(f"{folder}/key{number}.pub", encoding="utf-8") as file:
                lines.append(f'restrict,command="env {variables} permtui bridge --as ana" {file.read()}')
        with open(f"{folder}/authorized", "w", encoding="utf-8") as file:
            file.writelines(lines)
        with open(f"{folder}/config", "w", encoding="utf-8") as file:
            file.write(
                f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\nStrictModes no\n"
                f"AuthorizedKeysFile {folder}/authorized\nUsePAM no\nPermitRootLogin yes\nMaxStartups 100\n"
                "LogLevel ERROR\n")
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", f"{folder}/config"])

    def make_key(self, name):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{self.folder}/{name}"], check=True)

    def add(self, person, homes):
        """Makes the machines known to a person, as `permtui machine add` does for one after the other."""
        with open(f"{self.folder}/host.pub", encoding="utf-8") as file:
            key = " ".join(file.read().split()[:2])
        pins, hosts, client, settings = [], [], [], []
        for number, home in enumerate(homes, 1):
            pins.append(f"w{number} {home.machine()} 1\n")
            hosts.append(f"permtui-w{number} {key}\n")
            settings.append(f"[machines.w{number}]\n")
            client.append(
                f"Host w{number}\n HostName 127.0.0.1\n Port {self.port}\n IdentityFile {self.folder}/key{number}\n"
                " IdentitiesOnly yes\n IdentityAgent none\n")
        person.write(".local/state/permtui/machines", "".join(pins))
        person.write(".local/state/permtui/machines.hosts", "".join(hosts))
        person.write(".config/permtui/config.toml", "".join(settings))
        config = person.write("ssh_config", "".join(client))
        person.write("bin/ssh", f'#!/bin/sh\nexec /usr/bin/ssh -F {config} "$@"\n')


class Dashboard:
    """The dashboard of a person, on a terminal of its own."""

    def __init__(self, home):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(home.permtui, ["permtui"], home.environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

    def read(self, seconds, text=None):
        """Reads until a text has come, or for some time. Returns whether it has come."""
        seen, end = b"", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                seen = seen[-4096:] + os.read(self.terminal, 65536)
                if text and text in seen:
                    return True
        return False

    def wakeups(self):
        """The voluntary switches of all threads."""
        count = {}
        for thread in os.listdir(f"/proc/{self.process}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{self.process}/task/{thread}/status", encoding="utf-8") as file:
                count[thread] = int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", file.read())[1])
        return count

    def memory(self):
        """The proportional memory in MiB."""
        with open(f"/proc/{self.process}/smaps_rollup", encoding="utf-8") as file:
            return int(re.search(r"\nPss:\s+(\d+)", file.read())[1]) / 1024

    def connections(self):
        """The number of processes of ssh."""
        found = subprocess.run(["pgrep", "-c", "-x", "-P", str(self.process), "ssh"], capture_output=True, text=True)
        return int(found.stdout)

    def latency(self, home, program):
        """The time in milliseconds from the start of a program that asks to its name on the screen."""
        start = time.monotonic()
        asking = home.ask(program)
        found = self.read(20, program.encode())
        elapsed = (time.monotonic() - start) * 1000
        os.killpg(asking.pid, signal.SIGKILL)
        asking.wait()
        if not found:
            raise SystemExit(f"no alert of {program} came up")
        self.read(1)
        return elapsed


def main():
    permtui = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    folder = tempfile.mkdtemp(prefix="permtui-machines-")
    processes = []
    try:
        homes = [Home(f"{folder}/w{number}", permtui) for number in range(1, count + 1)]
        processes += [home.serve for home in homes]
        os.mkdir(f"{folder}/sshd")
        server = Server(f"{folder}/sshd", homes)
        processes.append(server.process)
        person = Home(f"{folder}/me", permtui, serves=False)
        alone = Dashboard(person)
        alone.read(3)
        before = alone.memory()
        os.kill(alone.process, signal.SIGTERM)
        os.waitpid(alone.process, 0)
        server.add(person, homes)
        start = time.monotonic()
        dashboard = Dashboard(person)
        last = homes[-1]
        asking = last.ask("thelastone")
        if not dashboard.read(120, b"thelastone"):
            raise SystemExit("the last machine did not come up")
        print(f"{count} machines: the last one's alert after {time.monotonic() - start:.1f} s")
        os.killpg(asking.pid, signal.SIGKILL)
        asking.wait()
        dashboard.read(30)
        print(f"processes of ssh: {dashboard.connections()}")
        print(f"memory: {before:.1f} MiB without machines, {dashboard.memory():.1f} MiB with them")
        first = dashboard.wakeups()
        dashboard.read(IDLE)
        second = dashboard.wakeups()
        # A thread that came or went is one of the pool's, and did so once.
        print(f"wake-ups in {IDLE} idle seconds: {sum(second[one] - first[one] for one in first if one in second)}")
        near, far = [], []
        for number in range(rounds):
            near.append(dashboard.latency(person, f"near{number}x"))
            far.append(dashboard.latency(homes[0], f"far{number}x"))
        print(f"asking program started to alert: {figures(near)} ms here, {figures(far)} ms on w1")
        print(f"beyond: {statistics.median(far) - statistics.median(near):.1f} ms, with ssh and its network")
        os.kill(dashboard.process, signal.SIGTERM)
    finally:
        for process in processes:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
