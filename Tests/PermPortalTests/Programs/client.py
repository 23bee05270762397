"""An app: asks the portal, and prints how that ended.

client.py camera|screenshot|wallpaper|location TOKEN...   asks once for each token, all at the same time
client.py microphone|speakers PID TOKEN...                asks for another process, as the sound server does
"""

import sys

import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
loop = GLib.MainLoop()
sender = bus.get_unique_name()[1:].replace(".", "_")
kind, *tokens = sys.argv[1:]
process = tokens.pop(0) if kind in ("microphone", "speakers") else "0"
waiting = set(tokens)
DESKTOP = "/org/freedesktop/portal/desktop"
portal = bus.get_object("org.freedesktop.portal.Desktop", DESKTOP)


def ended(token):
    def response(number, _results):
        print("response", token, int(number), flush=True)
        if kind == "location" and number == 0:
            return
        waiting.discard(token)
        if not waiting:
            loop.quit()

    return response


def located(_session, place):
    print("accuracy", int(place["Accuracy"]), flush=True)
    loop.quit()


def ask(token):
    options = {"handle_token": token}
    if kind == "camera":
        dbus.Interface(portal, "org.freedesktop.portal.Camera").AccessCamera(options)
    elif kind == "screenshot":
        dbus.Interface(portal, "org.freedesktop.portal.Screenshot").Screenshot("", options)
    elif kind == "wallpaper":
        dbus.Interface(portal, "org.freedesktop.portal.Wallpaper").SetWallpaperURI(
            "", "https://example.org/hill.png", {**options, "show-preview": False})
    elif kind == "location":
        location = dbus.Interface(portal, "org.freedesktop.portal.Location")
        session = location.CreateSession({"session_handle_token": token})
        location.Start(session, "", options)
    else:
        device = dbus.Interface(portal, "org.freedesktop.portal.Device")
        device.AccessDevice(dbus.UInt32(int(process)), [kind], options)


bus.add_signal_receiver(located, "LocationUpdated", "org.freedesktop.portal.Location", path=DESKTOP)
for token in tokens:
    path = f"{DESKTOP}/request/{sender}/{token}"
    bus.add_signal_receiver(ended(token), "Response", "org.freedesktop.portal.Request", path=path)
for token in tokens:
    ask(token)
loop.run()
