"""Writes to an LMDB database, and says each row that was acknowledged: pages.py write FOLDER NAME COUNT. Prints its rows:
pages.py rows FOLDER. Keeps it open until a file appears: pages.py hold FOLDER FILE."""
import os
import sys
import time

import lmdb

command, folder = sys.argv[1:3]


def opened():
    return lmdb.open(folder, map_size=1 << 24)


def write(name, count):
    database = None
    for row in range(count):
        for attempt in range(3):
            try:
                database = database or opened()
                with database.begin(write=True) as change:
                    change.put(f"{name} {row}".encode(), b"x" * (row * 37 % 300))
                os.write(1, f"{name} {row}\n".encode())
                break
            except (lmdb.Error, OSError) as error:
                os.write(2, f"{name} {row}: {error}\n".encode())
                database = None


if command == "write":
    write(sys.argv[3], int(sys.argv[4]))
elif command == "rows":
    with opened().begin() as view:
        for key, value in view.cursor():
            assert len(value) == int(key.split()[1]) * 37 % 300
            print(key.decode())
else:
    database = opened()
    with database.begin(write=True) as change:
        change.put(b"held 0", b"")
    print("open", flush=True)
    while not os.path.exists(sys.argv[3]):
        time.sleep(0.005)
