"""Inserts rows into a SQLite database, and says each that was acknowledged: writer.py DATABASE NAME COUNT."""
import os
import sqlite3
import sys

database, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
connection = None
for row in range(count):
    for attempt in range(3):
        try:
            if connection is None:
                connection = sqlite3.connect(database, timeout=60, isolation_level=None)
            connection.execute("begin immediate")
            connection.execute("insert into rows values (?, ?)", (name, row))
            connection.execute("commit")
            os.write(1, f"{name} {row}\n".encode())
            break
        except sqlite3.Error as error:
            os.write(2, f"{name} {row}: {error}\n".encode())
            if connection:
                connection.close()
            connection = None
