#!/usr/bin/python3
"""Measures the desktop's questions and the desktop's permission store, on a private session bus with the real store.

    Benchmarks/Portal/portal.py .build-release/release/permtui

`permtui-portal` lies beside the program. This script plays the portal. Every figure is `minimum / median / maximum`, and a
painted alert or row is what a terminal has received. It never fails for a figure: machines differ.
"""

import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import dbus
import dbus.lowlevel

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ("", "Screen")]
from figures import note  # noqa: E402
from meter import ENVIRONMENT, Window, spent  # noqa: E402

BACKEND = "org.freedesktop.impl.portal.desktop.permtui"
PORTAL = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
IMPL = "org.freedesktop.impl.portal."
STORE = IMPL + "PermissionStore"
# Pictures of the screen, because not every machine has a camera.
ICON, REASON = "applets-screenshooter-symbolic", b"pictures of the screen"


class Session:
    """A session without a desktop: folders and a bus of its own, and this process as the portal."""

    def __init__(self, permtui):
        self.permtui = permtui
        self.folder = tempfile.TemporaryDirectory(prefix="permtui-portal-")
        root = self.folder.name
        for name in ("run", "data/dbus-1/services", "config", "cache", "home", "state"):
            os.makedirs(f"{root}/{name}", mode=0o700)
        address = f"unix:path={root}/bus"
        self.environment = {
            **ENVIRONMENT, "HOME": f"{root}/home", "DBUS_SESSION_BUS_ADDRESS": address,
            **{f"XDG_{name.upper()}_HOME": f"{root}/{name}" for name in ("data", "config", "cache", "state")},
            "XDG_RUNTIME_DIR": f"{root}/run",
        }
        with open(f"{root}/data/dbus-1/services/{BACKEND}.service", "w", encoding="utf-8") as file:
            file.write(f"[D-BUS Service]\nName={BACKEND}\nExec={permtui}-portal\n")
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address={address}"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.bus = dbus.bus.BusConnection(self.daemon.stdout.readline().decode().strip())
        self.bus.request_name(PORTAL, dbus.bus.NAME_FLAG_DO_NOT_QUEUE)

    def window(self):
        window = Window([self.permtui], 110, 30, self.environment, self.environment["HOME"])
        wait_for(window, b"PermTUI")
        window.read(0.5)
        return window

    def process_of(self, name):
        return self.bus.get_object("org.freedesktop.DBus", "/").GetConnectionUnixProcessID(name)

    def call(self, path, interface, member, *arguments, signature=""):
        message = dbus.lowlevel.MethodCallMessage(BACKEND, path, IMPL + interface, member)
        if signature:
            message.append(*arguments, signature=signature)
        self.bus.send_message(message)
        self.bus.flush()

    def end(self):
        self.daemon.terminate()
        self.daemon.wait()
        self.folder.cleanup()


def wait_for(window, text, limit=20.0):
    """Reads until the terminal has received a text, and returns the time."""
    output, end = b"", time.perf_counter() + limit
    while time.perf_counter() < end:
        if window.wait_for_bytes(1.0):
            data = os.read(window.master, 1 << 16)
            now = time.perf_counter()
            output += data
            if text in output:
                return now
    raise SystemExit(f"{text!r} was not painted within {limit} s; the last bytes are {output[-400:]!r}")


def say(title, values, unit):
    note(title, values)
    numbers = " / ".join(f"{value:.3g}" for value in (min(values), statistics.median(values), max(values)))
    print(f"{title}: {numbers} {unit}", flush=True)


def measure_alerts(session, count):
    """Measures the time from the portal's call to the painted alert. Each dialogue is closed before the next one opens."""
    session.bus.get_object(BACKEND, PATH).GetAll("", dbus_interface="org.freedesktop.DBus.Properties")
    window, times = session.window(), []
    for number in range(count):
        handle = f"{PATH}/request/1_{number}/t{number}"
        started = time.perf_counter()
        session.call(
            PATH, "Access", "AccessDialog", handle, f"org.example.App{number}", "", "Title", "Subtitle", "Body",
            {"icon": ICON}, signature="osssssa{sv}")
        times.append((wait_for(window, REASON) - started) * 1000)
        window.read(0.2)
        session.call(handle, "Request", "Close")
        window.read(0.2)
        # A key closes what tells of the withdrawal. For half a second after it, no alert comes up.
        window.send(b"\x1b")
        window.read(0.8)
    say("the portal's call to the painted alert", times, "ms")
    window.end()
    window.close()


def measure_rows(session, things, apps, rounds):
    """Measures the time from another program's change of a row to the painted row.

    The desktop's own service sends all apps of a thing with each change, and takes time in proportion to them, so its reply to
    the program that changes the row is measured, too.
    """
    store = dbus.Interface(session.bus.get_object(STORE, "/" + STORE.replace(".", "/")), STORE)
    rows = dbus.Dictionary({f"org.example.App{number}": ["yes"] for number in range(apps)}, signature="sas")
    for number in range(things):
        thing = f"camera-{number}" if number else "camera"
        store.Set("devices", True, thing, rows, dbus.Byte(0, variant_level=1), timeout=600)
    count = things * apps
    window = session.window()
    window.send(b"p")
    wait_for(window, b"org.example.App0", limit=120)
    window.read(1)
    times, replies, later = [], [], []
    for number in range(rounds):
        value = ("no", "ask")[number % 2]
        started = time.perf_counter()
        store.SetPermission("devices", True, "camera", "org.example.App0", [value])
        replies.append((time.perf_counter() - started) * 1000)
        times.append((wait_for(window, value.encode()) - started) * 1000)
        later.append(times[-1] - replies[-1])
        window.read(0.3)
    what = f"a change of a desktop's row, {count} rows"
    say(f"{what}, painted", times, "ms")
    say(f"{what}, the service's reply", replies, "ms")
    # The service signals the change before it replies, so the row is often there first.
    say(f"{what}, read after that reply", later, "ms")
    measure_idle(session, window)
    window.end()
    window.close()


def measure_idle(session, window):
    """Counts the context switches of the backend, of the dashboard and of the program that follows the store."""
    followers = [int(name) for name in os.listdir("/proc") if name.isdigit() and parent(int(name)) == window.process]
    processes = {"backend": session.process_of(BACKEND), "dashboard": window.process}
    processes.update(("follower", process) for process in followers)
    before = {name: usage(process) for name, process in processes.items()}
    window.read(10, limit=10)
    for name, process in processes.items():
        say(f"wake-ups in ten idle seconds, {name}", [spent(before[name], usage(process))[1]], "")


def parent(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


def usage(process):
    class Other(Window):
        def __init__(self):
            self.process = process
    return Other().usage()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("permtui")
    # After more dismissed alerts, the limits of a family of programs make the next ones wait.
    parser.add_argument("--alerts", type=int, default=15)
    parser.add_argument("--rows", nargs="*", default=["1x100", "100x100"], help="THINGSxAPPS")
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    program = os.path.realpath(arguments.permtui)
    print(f"load {os.getloadavg()[0]:.1f}")
    alerts = [lambda one: measure_alerts(one, arguments.alerts)] if arguments.alerts else []
    for measure in alerts + [
            lambda one, rows=rows: measure_rows(one, *map(int, rows.split("x")), arguments.rounds)
            for rows in arguments.rows]:
        session = Session(program)
        try:
            session.bus.get_object(BACKEND, PATH).GetAll("", dbus_interface="org.freedesktop.DBus.Properties")
            measure(session)
        finally:
            session.end()
