"""Makes a database, or prints its rows after a check: database.py make DATABASE MODE, database.py rows DATABASE."""
import sqlite3
import sys

connection = sqlite3.connect(sys.argv[2])
if sys.argv[1] == "make":
    connection.execute(f"pragma journal_mode={sys.argv[3]}")
    connection.execute("create table rows (name, row)")
    connection.commit()
else:
    print(connection.execute("pragma integrity_check").fetchone()[0])
    for name, row in connection.execute("select name, row from rows"):
        print(name, row)
