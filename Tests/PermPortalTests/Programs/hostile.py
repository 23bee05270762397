"""Plays a portal that has gone mad: sends random calls to the backend, and prints how many of them were answered.

hostile.py COUNT SEED
"""

import random
import sys

import dbus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

BACKEND = "org.freedesktop.impl.portal.desktop.permtui"
PATH = "/org/freedesktop/portal/desktop"
IMPL = "org.freedesktop.impl.portal."
count, seed = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(seed)
DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
loop = GLib.MainLoop()
bus.request_name("org.freedesktop.portal.Desktop", dbus.bus.NAME_FLAG_DO_NOT_QUEUE)

TEXTS = [
    "", "a", "org.example.Cam", "../../x", "\x1b[31m", "\u202e", "%s%n", "a" * 300, "b" * 100000, "camera-web-symbolic",
    "find-location-symbolic", "firefox_firefox", "snap.", "_", ".", "\t", "app:x", "org.example." + "é" * 40,
]
MEMBERS = [
    ("Access", "AccessDialog"), ("Background", "NotifyBackground"), ("Background", "EnableAutostart"),
    ("Background", "GetAppState"), ("Request", "Close"), ("Access", "Nothing"), ("Settings", "Read"),
]
SIGNATURES = ["osssssa{sv}", "oss", "sbasu", "", "s", "o", "a{sv}", "osssss", "ossssa{sv}", "v", "aas", "(ss)", "a{ss}", "u"]


def value(signature):
    kind = signature[0]
    if kind == "s":
        return chance.choice(TEXTS)
    if kind == "o":
        return f"{PATH}/request/1_{chance.randrange(4)}/t{chance.randrange(20)}"
    if kind == "u":
        return chance.randrange(1 << 32)
    if kind == "b":
        return chance.random() < 0.5
    if kind == "v":
        return chance.choice([
            lambda: chance.choice(TEXTS), lambda: dbus.UInt32(7), lambda: dbus.Boolean(True),
            lambda: dbus.Array(TEXTS[:5], signature="s"), lambda: dbus.Struct(("a", dbus.Byte(1)), signature="sy"),
            lambda: dbus.String("camera-web-symbolic", variant_level=3),
            lambda: dbus.Dictionary({"a": dbus.Int64(-1)}, signature="sv"), lambda: dbus.ObjectPath("/a"),
        ])()
    raise ValueError(signature)


def argument(signature):
    if signature == "a{sv}":
        keys = chance.choices(["icon", "modal", "grant_label", "choices", "x" * 50, ""], k=chance.randrange(6))
        return dbus.Dictionary({key: value("v") for key in keys}, signature="sv")
    if signature == "a{ss}":
        return dbus.Dictionary({value("s"): value("s") for _ in range(chance.randrange(50))}, signature="ss")
    if signature == "as":
        return dbus.Array([value("s") for _ in range(chance.randrange(50))], signature="s")
    if signature == "aas":
        return dbus.Array([dbus.Array(["a"], signature="s")] * chance.randrange(50), signature="as")
    if signature == "(ss)":
        return dbus.Struct((value("s"), value("s")), signature="ss")
    return value(signature)


def parts(signature):
    found, rest = [], signature
    while rest:
        end = next(end for end in range(1, len(rest) + 1) if is_whole(rest[:end]))
        found.append(rest[:end])
        rest = rest[end:]
    return found


def is_whole(text):
    core = text.lstrip("a")
    return bool(core) and core.count("(") == core.count(")") and core.count("{") == core.count("}")


def message():
    interface, member = chance.choice(MEMBERS)
    signature = chance.choice(SIGNATURES)
    if chance.random() < 0.5:
        interface, member, signature = "Access", "AccessDialog", "osssssa{sv}"
    path = PATH if chance.random() < 0.7 else f"{PATH}/request/1_{chance.randrange(4)}/t{chance.randrange(20)}"
    call = dbus.lowlevel.MethodCallMessage(BACKEND, path, IMPL + interface, member)
    arguments = [argument(part) for part in parts(signature)]
    call.append(*arguments, signature=signature)
    handle = arguments[0] if signature.startswith("o") and member in ("AccessDialog", "NotifyBackground") else None
    return call, handle


answered, lost, left = 0, 0, count


def end(reply):
    global answered, lost, left
    if isinstance(reply, dbus.lowlevel.ErrorMessage) and reply.get_error_name().endswith((".NoReply", ".ServiceUnknown")):
        lost += 1
    else:
        answered += 1
    left -= 1
    if left == 0:
        loop.quit()


bus.get_object(BACKEND, PATH).GetAll("", dbus_interface="org.freedesktop.DBus.Properties")
for _ in range(count):
    call, handle = message()
    bus.send_message_with_reply(call, end, 60.0)
    if handle is not None:
        # What asks something in earnest is closed, so that it ends, too.
        close = dbus.lowlevel.MethodCallMessage(BACKEND, handle, IMPL + "Request", "Close")
        close.set_no_reply(True)
        bus.send_message(close)
loop.run()
print(f"answered {answered} lost {lost}")
