"""Plays the portal, or a peer that only claims to be: opens dialogues at the backend, and prints their answers.

The argument is a document: `name` is whether to take the portal's name, `calls` are the dialogues, each with `app`, `icon`,
`bytes` (the length of its texts), `labels`, `options` (further options of the dialogue), `notice` and `close` (milliseconds
after which the dialogue is closed).
"""

import json
import sys
import time

import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

BACKEND = "org.freedesktop.impl.portal.desktop.permtui"
PATH = "/org/freedesktop/portal/desktop"
order = json.loads(sys.argv[1])
DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
loop = GLib.MainLoop()
left = len(order["calls"])
if order.get("name", True):
    bus.request_name("org.freedesktop.portal.Desktop", dbus.bus.NAME_FLAG_DO_NOT_QUEUE)


def say(number, **fields):
    global left
    print(json.dumps({"number": number, **fields}, sort_keys=True), flush=True)
    left -= 1
    if left == 0:
        loop.quit()


def answered(number):
    return lambda response, results: say(
        number, response=int(response), results={k: int(v) for k, v in results.items()})


def failed(number):
    return lambda error: say(number, error=error.get_dbus_name())


def close(handle):
    bus.get_object(BACKEND, handle).Close(dbus_interface="org.freedesktop.impl.portal.Request")
    return False


# The backend is there before the first call, whose time is measured.
bus.get_object(BACKEND, PATH).GetAll("", dbus_interface="org.freedesktop.DBus.Properties")
for number, call in enumerate(order["calls"]):
    handle = f"{PATH}/request/1_{number}/t{number}"
    text = "A" * call.get("bytes", 1)
    print(json.dumps({"calling": number, "nanoseconds": time.monotonic_ns()}), flush=True)
    common = dict(reply_handler=answered(number), error_handler=failed(number), timeout=1e6)
    backend = bus.get_object(BACKEND, PATH)
    if call.get("notice"):
        backend.NotifyBackground(
            dbus.ObjectPath(handle), call["app"], text, dbus_interface="org.freedesktop.impl.portal.Background", **common)
    else:
        options = {"modal": True}
        if "icon" in call:
            options["icon"] = call["icon"]
        if call.get("labels"):
            options["grant_label"] = options["deny_label"] = "Fine"
        options.update(call.get("options", {}))
        backend.AccessDialog(
            dbus.ObjectPath(handle), call["app"], "", text, text, text, dbus.Dictionary(options, signature="sv"),
            dbus_interface="org.freedesktop.impl.portal.Access", **common)
    if "close" in call:
        GLib.timeout_add(call["close"], close, handle)
loop.run()
