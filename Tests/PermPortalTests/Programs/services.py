"""Services that the portal uses, and that a machine without a desktop lacks.

services.py backend   the backend for pictures of the screen and behind the windows, which does nothing and says yes
services.py geoclue   GeoClue, which is at one place, and knows it as exactly as it was asked to
services.py store     the permission store, which refuses to remove the first row that it is to remove, once
"""

import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
PROPERTIES = "org.freedesktop.DBus.Properties"
GEOCLUE = "org.freedesktop.GeoClue2"
SCREENSHOT = "org.freedesktop.impl.portal.Screenshot"
STORE = "org.freedesktop.impl.portal.PermissionStore"
WALLPAPER = "org.freedesktop.impl.portal.Wallpaper"
CLIENT = "/org/freedesktop/GeoClue2/Client/1"
PLACE = "/org/freedesktop/GeoClue2/Client/1/Location/0"


class Backend(dbus.service.Object):
    @dbus.service.method(SCREENSHOT, in_signature="ossa{sv}", out_signature="ua{sv}")
    def Screenshot(self, handle, app, parent, options):
        return 0, dbus.Dictionary({"uri": "file:///picture.png"}, signature="sv")

    @dbus.service.method(WALLPAPER, in_signature="osssa{sv}", out_signature="u")
    def SetWallpaperURI(self, handle, app, parent, uri, options):
        return 0

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return dbus.Dictionary({"version": dbus.UInt32(2)}, signature="sv")


class Manager(dbus.service.Object):
    @dbus.service.method(GEOCLUE + ".Manager", out_signature="o")
    def GetClient(self):
        return dbus.ObjectPath(CLIENT)


class Client(dbus.service.Object):
    accuracy = 0

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return dbus.Dictionary({}, signature="sv")

    @dbus.service.method(PROPERTIES, in_signature="ssv")
    def Set(self, interface, name, value):
        if name == "RequestedAccuracyLevel":
            Client.accuracy = int(value)

    @dbus.service.method(GEOCLUE + ".Client")
    def Start(self):
        GLib.idle_add(lambda: self.LocationUpdated("/", PLACE) and False)

    @dbus.service.method(GEOCLUE + ".Client")
    def Stop(self):
        pass

    @dbus.service.signal(GEOCLUE + ".Client", signature="oo")
    def LocationUpdated(self, old, new):
        pass


class Place(dbus.service.Object):
    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        # In place of metres, the level that was asked for: 8 is exact, 4 is the city.
        return dbus.Dictionary({"Accuracy": dbus.Double(Client.accuracy)}, signature="sv")


class Store(dbus.service.Object):
    rows = {}
    refusals = 1

    @dbus.service.method(STORE, in_signature="sbssas")
    def SetPermission(self, table, create, thing, app, permissions):
        self.rows[table, thing, app] = permissions
        self.tell(table, thing)

    @dbus.service.method(STORE, in_signature="sss", out_signature="as")
    def GetPermission(self, table, thing, app):
        if (table, thing, app) not in self.rows:
            raise dbus.DBusException("no such row", name="org.freedesktop.portal.Error.NotFound")
        return self.rows[table, thing, app]

    @dbus.service.method(STORE, in_signature="sss")
    def DeletePermission(self, table, thing, app):
        if Store.refusals:
            Store.refusals -= 1
            raise dbus.DBusException("not now", name="org.freedesktop.portal.Error.NotAllowed")
        del self.rows[table, thing, app]
        self.tell(table, thing)

    def tell(self, table, thing):
        apps = {row[2]: value for row, value in self.rows.items() if row[:2] == (table, thing)}
        apps = dbus.Dictionary(apps, signature="sas")
        self.Changed(table, thing, not apps, dbus.Byte(0, variant_level=1), apps)

    @dbus.service.signal(STORE, signature="ssbva{sas}")
    def Changed(self, table, thing, deleted, data, permissions):
        pass


if sys.argv[1] == "backend":
    bus = dbus.SessionBus()
    objects = [Backend(bus, "/org/freedesktop/portal/desktop")]
    name = dbus.service.BusName("org.freedesktop.impl.portal.desktop.mock", bus)
elif sys.argv[1] == "store":
    bus = dbus.SessionBus()
    objects = [Store(bus, "/org/freedesktop/impl/portal/PermissionStore")]
    name = dbus.service.BusName(STORE, bus)
else:
    bus = dbus.SystemBus()
    objects = [Manager(bus, "/org/freedesktop/GeoClue2/Manager"), Client(bus, CLIENT), Place(bus, PLACE)]
    name = dbus.service.BusName(GEOCLUE, bus)
GLib.MainLoop().run()
