"""Another program that writes to the desktop's permission store, as `flatpak permissions` does.

store.py set TABLE ID APP PERMISSION... | get TABLE ID APP | fill TABLE ID COUNT THINGS | lie TABLE ID APP PERMISSION

To lie is to signal a change that the service has not made, to everybody and to each peer alone.
"""

import sys
import time

import dbus
import dbus.lowlevel

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
elif verb == "lie":
    for peer in [None, *(name for name in bus.list_names() if name.startswith(":"))]:
        signal = dbus.lowlevel.SignalMessage("/org/freedesktop/impl/portal/PermissionStore", NAME, "Changed")
        apps = dbus.Dictionary({rest[0]: dbus.Array(rest[1:], signature="s")}, signature="sas")
        signal.append(table, thing, False, dbus.Byte(0, variant_level=1), apps, signature="ssbva{sas}")
        if peer:
            signal.set_destination(peer)
        bus.send_message(signal)
    bus.flush()
