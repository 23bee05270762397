"""Tries to reach the person's terminal from inside: attack_terminal.py CASE. Prints "held", or what it has reached."""
import ctypes
import errno
import fcntl
import os
import signal
import struct
import sys
import termios

from attacking import attempt, call, libc, text

TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSCTTY = 0x5412, 0x541C, 0x541D, 0x540E


def typed_input():
    for high in (0, 0x1_0000_0000):
        if libc.ioctl(0, ctypes.c_ulong(high | TIOCSTI), text("x")) == 0 or ctypes.get_errno() != errno.EPERM: return "TIOCSTI"


def console_input():
    if libc.ioctl(0, ctypes.c_ulong(TIOCLINUX), text("\x02")) == 0 or ctypes.get_errno() != errno.EPERM: return "TIOCLINUX"


def console_output():
    return attempt(lambda: fcntl.ioctl(0, TIOCCONS) or "TIOCCONS")


def other_terminals():
    names = ["console", "tty0", "tty1", "ttyS0", "pts/1", "pts/2", "pts/3", "vcs", "vcsa1"]
    for name in names:
        found = attempt(lambda: os.open("/dev/" + name, os.O_RDWR | os.O_NOCTTY))
        if found: return name
    numbers = [name for name in os.listdir("/dev/pts") if name != "ptmx"]
    return None if numbers == ["0"] else f"sees {numbers}"


def own_terminal_only():
    """The terminal of all streams, of the session and by its name is one, and the run's own."""
    own = os.stat("/dev/pts/0").st_rdev, os.stat("/dev/pts/0").st_dev
    for stream in range(3):
        if (os.fstat(stream).st_rdev, os.fstat(stream).st_dev) != own: return f"stream {stream} is another"
    if struct.unpack("I", fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x80045432, b"0000"))[0] != own[0]: return "/dev/tty is another"


def terminals_of_others():
    """No process inside has the person's terminal among its descriptors."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try: names = os.listdir(f"/proc/{process}/fd")
        except OSError: continue
        for name in names:
            # The folder's own descriptor is closed by now.
            try: found = os.stat(f"/proc/{process}/fd/{name}")
            except OSError: continue
            if os.major(found.st_rdev) == 136 and found.st_dev != os.stat("/dev/pts/0").st_dev: return f"{process} has one"


def descriptors_of_first():
    process = call("pidfd_open", 1, 0)
    for number in range(64):
        if call("pidfd_getfd", process, number, 0) >= 0: return f"took {number}"
    return attempt(lambda: os.listdir("/proc/1/fd") or "empty")


def signals_to_first():
    """The first process passes on some signals, and neither stops nor ends."""
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
    for number in range(1, 65): attempt(lambda: os.kill(1, number))


def session_of_first():
    """The session cannot be left with the terminal, nor the terminal be taken from it."""
    if os.fork() == 0:
        os.setsid()
        found = attempt(lambda: fcntl.ioctl(0, TIOCSCTTY, 1) or "taken")
        os._exit(1 if found else 0)
    return "taken" if os.wait()[1] else None


if __name__ == "__main__":
    # One is no attack if the program has no terminal.
    result = None if os.isatty(0) else "no terminal"
    print(result or globals()[sys.argv[1]]() or "held")
