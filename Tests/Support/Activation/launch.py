"""Hands listening sockets to a program as systemd does: made before it starts, and given to it from descriptor 3 on.

    launch.py FOLDER PROGRAM [ARGUMENT …]
"""

import os
import socket
import sys

folder, program = sys.argv[1], sys.argv[2:]
os.makedirs(folder, mode=0o700, exist_ok=True)
listening = []
for name in ("ask", "control", "deno"):
    path = f"{folder}/{name}"
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(path)
    os.chmod(path, 0o600)
    made.listen(64)
    listening.append(made)
# Out of the way first, so that no number is taken while it is given.
moved = [os.dup2(made.fileno(), 20 + place) for place, made in enumerate(listening)]
for place, descriptor in enumerate(moved):
    os.dup2(descriptor, 3 + place, inheritable=True)
    os.close(descriptor)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="3")
os.execvp(program[0], program)
