"""Another program that writes to the desktop's permission store, as `flatpak permissions` does.

store.py set TABLE ID APP PERMISSION... | get TABLE ID APP | fill TABLE ID COUNT THINGS
"""

import sys
import time

import dbus

NAME = "org.freedesktop.impl.portal.PermissionStore"
bus = dbus.SessionBus()
store = dbus.Interface(bus.get_object(NAME, "/org/freedesktop/impl/portal/PermissionStore"), NAME)
verb, table, thing, *rest = sys.argv[1:]
if verb == "set":
    print(time.monotonic_ns(), flush=True)
    store.SetPermission(table, True, thing, rest[0], dbus.Array(rest[1:], signature="s"))
elif verb == "get":
    try:
        print(" ".join(store.GetPermission(table, thing, rest[0])))
    except dbus.DBusException as error:
        print("" if error.get_dbus_name() == "org.freedesktop.portal.Error.NotFound" else error)
elif verb == "fill":
    apps = {f"org.example.App{number}": ["yes"] for number in range(int(rest[0]))}
    for other in range(int(rest[1])):
        name = thing if other == 0 else f"{thing}-{other}"
        store.Set(table, True, name, dbus.Dictionary(apps, signature="sas"), dbus.Byte(0, variant_level=1))
