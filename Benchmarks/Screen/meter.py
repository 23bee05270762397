"""A program on a pseudo-terminal, and the time of every byte it sends."""

import fcntl
import os
import select
import signal
import struct
import termios
import time

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "LANG": "C.UTF-8",
    "TERM": "xterm-256color",
    "TZ": "UTC",
}


class Window:
    """Runs a program in a window of its own and waits for its output."""

    def __init__(self, command, columns, rows, environment, folder, last_text=None):
        # The end of the first frame, and the time when it came.
        self.last_text = last_text
        self.complete = None
        self.master, slave = os.openpty()
        self.resize(columns, rows)
        self.mode = termios.tcgetattr(self.master)
        self.output = bytearray()
        name = os.ttyname(slave)
        os.close(slave)
        # The child does not have this end: Python's descriptors are not inherited.
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ]
        # The program starts in a folder; changing to it here is cheaper than a shell around the program.
        os.chdir(folder)
        self.started = time.perf_counter()
        self.process = os.posix_spawnp(
            command[0], command, {**ENVIRONMENT, **environment}, file_actions=actions, setsid=True)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, silence, limit=5.0):
        """Reads until nothing came for `silence` seconds.

        Returns (time of the first byte, time of the last byte, number of bytes); the times are None without any.
        """
        first = last = None
        count = 0
        end = time.perf_counter() + limit
        while time.perf_counter() < end and select.select([self.master], [], [], silence)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            last = time.perf_counter()
            first = first or last
            count += len(data)
            self.output += data
            if self.complete is None and self.last_text and self.last_text in self.output:
                self.complete = last
        return first, last, count

    def wait_for_bytes(self, limit=10.0):
        """Waits for the first byte, which a slow program may send late."""
        return bool(select.select([self.master], [], [], limit)[0])

    def send(self, data):
        """Sends keys and returns the time."""
        now = time.perf_counter()
        os.write(self.master, data)
        return now

    def measure_key(self, key, silence=0.03):
        """Returns the milliseconds from a key to the last byte that it causes, and the bytes; None if none come."""
        sent = self.send(key)
        _, last, count = self.read(silence)
        return (None if last is None else (last - sent) * 1000), count

    def is_restored(self):
        """Returns whether the mode is as before and the alternate screen was left."""
        return termios.tcgetattr(self.master) == self.mode and (
            b"\x1b[?1049h" not in self.output or self.output.rfind(b"\x1b[?1049l") > self.output.rfind(b"\x1b[?1049h"))

    def end(self, number=signal.SIGTERM, limit=5.0):
        """Returns the milliseconds from a signal to the end of the process; None if it had to be killed."""
        sent = time.perf_counter()
        self.restored = None
        os.kill(self.process, number)
        end = sent + limit
        while time.perf_counter() < end:
            if select.select([self.master], [], [], 0.0005)[0]:
                try:
                    self.output += os.read(self.master, 65536)
                except OSError:
                    pass
                if self.restored is None and b"\x1b[?1049l" in self.output:
                    self.restored = (time.perf_counter() - sent) * 1000
            if os.waitpid(self.process, os.WNOHANG)[0]:
                return (time.perf_counter() - sent) * 1000
        self.kill()
        return None

    def kill(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def close(self):
        os.close(self.master)

    def usage(self):
        """Returns each thread's CPU milliseconds and context switches so far, by its ID."""
        result = {}
        for thread in os.listdir(f"/proc/{self.process}/task"):
            folder = f"/proc/{self.process}/task/{thread}"
            try:
                cpu = int(open(f"{folder}/schedstat").read().split()[0]) / 1e6
                status = open(f"{folder}/status").read()
            except (FileNotFoundError, ProcessLookupError):
                continue
            result[thread] = cpu, sum(
                int(line.split()[1]) for line in status.splitlines() if "ctxt_switches" in line)
        return result

    def memory(self):
        """Returns the resident memory in MiB."""
        status = open(f"/proc/{self.process}/status").read()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def spent(before, after):
    """Returns the CPU milliseconds and context switches between two measurements. A thread that has ended is left out;
    a new one counts from its start."""
    old = (0, 0)
    return tuple(sum(now[i] - before.get(thread, old)[i] for thread, now in after.items()) for i in (0, 1))
