"""Adds one to the number in a file under a lock: counter.py FILE KIND COUNT [GO]. KIND is flock, posix or ofd.
With GO, it keeps the lock until that file is there."""
import fcntl
import os
import struct
import sys
import time

file = os.open(sys.argv[1], os.O_RDWR)


def lock(kind, is_locked):
    if kind == "flock":
        fcntl.flock(file, fcntl.LOCK_EX if is_locked else fcntl.LOCK_UN)
        return
    request = struct.pack("hhqqi4x", fcntl.F_WRLCK if is_locked else fcntl.F_UNLCK, 0, 0, 100, 0)
    fcntl.fcntl(file, 38 if kind == "ofd" else fcntl.F_SETLKW, request)


for round in range(int(sys.argv[3])):
    lock(sys.argv[2], True)
    if len(sys.argv) > 4:
        print("locked", flush=True)
        while not os.path.exists(sys.argv[4]):
            time.sleep(0.005)
    number = int(os.pread(file, 20, 0))
    os.pwrite(file, b"%-20d" % (number + 1), 0)
    lock(sys.argv[2], False)
