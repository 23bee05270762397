"""An app: asks the portal for the camera, and prints how that ended.

client.py TOKEN...   asks once for each token, all at the same time
"""

import sys

import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
loop = GLib.MainLoop()
sender = bus.get_unique_name()[1:].replace(".", "_")
waiting = set(sys.argv[1:])


def ended(token):
    def response(number, _results):
        print("response", token, int(number), flush=True)
        waiting.discard(token)
        if not waiting:
            loop.quit()

    return response


for token in sys.argv[1:]:
    path = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"
    bus.add_signal_receiver(ended(token), "Response", "org.freedesktop.portal.Request", path=path)
portal = bus.get_object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
camera = dbus.Interface(portal, "org.freedesktop.portal.Camera")
for token in sys.argv[1:]:
    camera.AccessCamera({"handle_token": token})
loop.run()
