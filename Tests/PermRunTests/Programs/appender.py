"""Appends lines to a log, each with one write, as loggers do: appender.py FILE NAME COUNT."""
import os
import sys

log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
for line in range(int(sys.argv[3])):
    text = f"{sys.argv[2]} {line} {'x' * (line * 37 % 300)}.\n"
    assert os.write(log, text.encode()) == len(text)
