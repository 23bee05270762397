"""Reads keys in a terminal: keys.py WAY. It prints "ready" before it reads."""
import os
import select
import signal
import sys
import termios
import tty


def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\r\n").encode())


def each_key(terminal):
    """Reads single keys until q, and prints their numbers."""
    before = termios.tcgetattr(terminal)
    tty.setraw(terminal)
    say("ready")
    while (key := os.read(terminal, 1)) not in (b"q", b""):
        say("key", key[0])
    termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def sizes():
    """Prints the size of the terminal, now and whenever it changes, until a line is typed; also tells that it goes on."""
    def tell(*_):
        size = os.get_terminal_size(0)
        say("size", size.columns, size.lines)
    signal.signal(signal.SIGWINCH, tell)
    signal.signal(signal.SIGCONT, lambda *_: say("continued"))
    tell()
    say("ready")
    os.read(0, 100)


def page():
    """Prints what comes through the pipe, and then reads keys at the terminal, as a pager does."""
    terminal = os.open("/dev/tty", os.O_RDWR)
    say("page", sys.stdin.readline().strip())
    each_key(terminal)


def left():
    """Leaves its session behind, which reads on; what it gets is written to the file `stolen`."""
    ends = os.pipe()
    if os.fork() == 0:
        os.setsid()
        stolen = os.open("stolen", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.set_blocking(0, False)
        os.write(ends[1], b"x")
        while True:
            select.select([0], [], [])
            try: os.write(stolen, os.read(0, 100))
            except OSError: pass
    os.read(ends[0], 1)
    say("ready")
    while True: signal.pause()


def modes():
    """Leaves its session behind, which changes the modes of the terminal again and again."""
    ends = os.pipe()
    if os.fork() == 0:
        os.setsid()
        while True:
            attributes = termios.tcgetattr(0)
            attributes[3] ^= termios.ECHO | termios.ICANON
            termios.tcsetattr(0, termios.TCSANOW, attributes)
            os.write(ends[1], b"x")
    for _ in range(100): os.read(ends[0], 1)
    say("ready")
    while os.read(ends[0], 1000): pass


if __name__ == "__main__":
    {"keys": lambda: each_key(0), "sizes": sizes, "page": page, "left": left, "modes": modes}[sys.argv[1]]()
