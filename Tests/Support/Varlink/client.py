"""Talks to a broker with the `varlink` package from PyPI, which knows nothing of PermTUI but what it introspects.

    client.py SOCKET_FOLDER

It calls every method of the interface, follows a stream, and prints what it has called. Replies are checked against the
interface's own description by this client, not by code of ours.
"""

import hashlib
import json
import os
import struct
import subprocess
import sys
import threading

import varlink

INTERFACE = "io.permtui.Broker"
folder = sys.argv[1]
called = set()


def open_client(socket):
    return varlink.Client.new_with_address(f"unix:{folder}/{socket}")


def describe():
    """What is served, as the service itself tells it."""
    for socket in ("ask", "control"):
        client = open_client(socket)
        info = client.get_interfaces()
        assert sorted(info) == ["io.permtui.Broker", "org.varlink.service"], info
        client.get_interface(INTERFACE)
    return client.get_interface(INTERFACE)


def expect_error(name, call, **parameters):
    try:
        call(**parameters)
    except varlink.VarlinkError as error:
        assert error.error() == f"{INTERFACE}.{name}", error.error()
        return error.parameters()
    raise AssertionError(f"{name} was expected")


class Caller:
    """Calls methods and notes that it did."""

    def __init__(self, socket):
        self.connection = open_client(socket).open(INTERFACE)

    def __getattr__(self, name):
        called.add(name)
        return getattr(self.connection, name)


class Asking:
    """A program that asks and waits, in a process of its own. See asker.py."""

    def __init__(self, *verdict, **parameters):
        asker = [sys.executable, os.path.join(os.path.dirname(__file__), "asker.py"), folder]
        self.process = subprocess.Popen(
            [*asker, json.dumps(parameters), *verdict], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        called.update(["Request", "Status"])
        if verdict:
            called.update(["Withdraw"] if "withdraw" in verdict else ["AskHere", "AnswerHere"])
        self.first = self.next()["reply"]
        assert self.first["state"] == "waiting", self.first

    def next(self):
        return json.loads(self.process.stdout.readline())

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self):
        """How the request ended, and what holds for the program since."""
        reply = self.first
        while reply["state"] == "waiting":
            reply = self.next()["reply"]
        return reply["state"], self.next()["met"]


def stream(caller_method, seen, until):
    """Follows a stream until something is seen."""
    for reply in caller_method:
        seen.append(reply)
        if until(reply):
            return


class Canonical:
    """The bytes of a digest, written as docs/digests.md says."""

    def __init__(self):
        self.bytes = b""

    def number(self, number):
        self.bytes += struct.pack(">Q", number & 0xFFFFFFFFFFFFFFFF)

    def text(self, text):
        encoded = text.encode()
        self.number(len(encoded))
        self.bytes += encoded

    def list(self, elements, write):
        self.number(len(elements))
        for element in elements:
            write(element)

    def optional(self, value, write):
        self.list([] if value is None else [value], write)

    def parts(self, capability, parts):
        def part(name):
            self.text(capability)
            self.text(name)
            # These requests have no values.
            self.optional(None, self.text)
            self.text("*")

        self.list(sorted(parts), part)

    def lifetime(self, lifetime):
        self.text(lifetime["kind"])
        if lifetime["kind"] == "duration":
            self.number(lifetime["milliseconds"] * 1000)
        if lifetime["kind"] == "until":
            self.number(lifetime["until"])

    def process(self, pid, started):
        def process(pid):
            self.number(pid)
            self.number(started)

        self.optional(pid, process)

    def program(self, program):
        self.text(program["label"])
        self.optional(program.get("path"), self.text)

        def file(inode):
            self.number(inode)
            self.number(program["born"])

        def fileless(fileless):
            self.process(fileless.get("pid"), fileless.get("started"))
            self.number(fileless["parents"])

        def sandbox(sandbox):
            for name in ("namespace", "pid", "started"):
                self.number(sandbox[name])

        self.optional(program.get("inode"), file)
        self.optional(program.get("fileless"), fileless)
        self.optional(program.get("sandbox"), sandbox)
        self.optional(program.get("folder"), self.text)

    def evidence(self, seen):
        self.process(seen["pid"], seen["started"])
        self.text(seen["program"])
        for name in ("interpreter", "terminal", "folder", "doubt"):
            self.optional(seen.get(name), self.text)
        self.list(seen["chain"], self.text)
        self.number(1 if seen["sandboxed"] else 0)
        self.number(1 if seen["unreadable"] else 0)
        self.optional(seen.get("walled"), self.walled)

    def walled(self, walled):
        self.text(walled["name"])
        self.process(walled["pid"], walled["started"])
        self.number(1 if walled.get("left") else 0)
        self.number(1 if walled.get("native") else 0)

    def joined(self, joined):
        self.text(joined["id"])
        self.process(joined.get("pid"), joined.get("started"))

    def cover(self, cover):
        self.optional(cover.get("scope"), self.text)
        self.text(cover["words"])
        self.optional(cover.get("longest"), self.lifetime)
        self.optional(cover.get("limit"), self.text)

    def offer(self, offer):
        self.lifetime(offer["lifetime"])
        self.optional(offer.get("disabled"), self.text)
        self.optional(offer.get("denial"), self.text)

    def request(self, alert):
        request = alert["request"]
        self.text("request")
        self.text(request["id"])
        self.program(request["program"])
        self.text(request["capability"])
        self.parts(request["capability"], request["parts"])
        self.optional(request.get("reason"), self.text)
        self.optional(request.get("details"), self.text)
        # No facts: no paths, no project, no forms, no reason against a form, no writer, not elsewhere, no proxy.
        for _ in range(7):
            self.number(0)
        self.optional(request.get("lifetime"), self.lifetime)
        self.optional(request.get("evidence"), self.evidence)
        self.list(alert["joined"], self.joined)
        # Plain ASCII names only here, so the one doubt is the one that was seen.
        doubt = (request.get("evidence") or {}).get("doubt")
        self.optional(doubt, self.text)
        identities = {"inside": "in process", "seen": "as seen", "first": "first time",
            "denied": "only denied", "alike": "look-alike"}
        self.text(identities.get(alert["identity"], alert["identity"]))
        if alert["identity"] in ("mismatch", "alike"):
            self.text(alert["instead"])
        for name in ("title", "action", "definition"):
            self.text(alert[name])
        self.number(["mild", "moderate", "severe"].index(alert["severity"]))

        def choice(choice):
            self.text(choice["title"])
            self.parts(request["capability"], choice["parts"])

        self.list(alert["choices"], choice)
        self.list(alert["covers"], self.cover)
        self.list(alert["lifetimes"], self.offer)
        self.optional(alert.get("resting"), self.text)


def digest(id, alert):
    canonical = Canonical()
    canonical.text("io.permtui.alert 2")
    canonical.text("")
    canonical.text(id)
    canonical.request(alert)
    return hashlib.sha256(canonical.bytes).hexdigest()


interface = describe()
methods = {name for name, member in interface.members.items() if isinstance(member, varlink.scanner._Method)}

control = Caller("control")
assert control.State()["presenters"] == 0
assert control.OwnCapabilities()["capabilities"] == []
assert control.Pending()["requests"] == []
assert control.Pending(limit=1) == {"requests": [], "total": 0}
assert expect_error("Refused", control.Pending, limit=0)["parameter"] == "limit"

# A stream, followed while others change things.
entries = []
watching = Caller("control")
first = control.Allow(program="watched", capability="photos")
assert first["decisions"][0]["verdict"] == "allow"
follower = threading.Thread(
    target=stream,
    args=(
        watching.Watch(after=0, _more=True),
        entries,
        lambda reply: any(entry["program"]["label"] == "last" for entry in reply["entries"] if entry.get("program")),
    ),
)
follower.start()

# A request that a person answers by its id.
asking = Asking(capability="photos", label="client", reason="to test", milliseconds=60_000)
waiting = control.Pending()["requests"]
id = asking.first["id"]
assert [one["alert"]["request"]["id"] for one in waiting] == [id]
assert waiting[0]["alert"]["request"]["program"]["path"].endswith("asker.py")
yes = {"verdict": "allow", "lifetime": {"kind": "duration", "milliseconds": 60_000}}
assert expect_error("Refused", control.Answer, id=id, answer=yes)["parameter"] == "digest"
expect_error("Changed", control.Answer, id=id, answer=yes, digest="0" * 64)
control.Answer(id=id, answer=yes, digest=digest(id, waiting[0]["alert"]))
assert asking.end() == ("allowed", True)

# A request that its program asks about on its own terminal.
asking = Asking("deny", capability="photos", label="own", milliseconds=60_000)
assert asking.next()["asks"]
assert control.Pending()["requests"][0]["terminal"]
asking.go_on()
assert asking.end() == ("denied", False)

# A request that is shown to a dashboard, which denies it.
alerts = Caller("control").Attach(dashboard="varlink", _more=True)
assert not next(alerts).get("show")
asking = Asking(capability="photos", label="another", milliseconds=60_000)
shown = next(alerts)["show"][0]["alert"]
assert shown["request"]["request"]["program"]["label"] == "another", shown
assert control.State()["presenters"] == 1
control.Look(dashboard="varlink")
control.Hold(dashboard="varlink", holds=True)
control.Hold(dashboard="varlink", holds=False)
control.Respond(
    dashboard="varlink",
    alert=shown["id"],
    response="answered",
    answer={"verdict": "deny"},
    digest=digest(shown["id"], shown["request"]),
)
assert asking.end() == ("denied", False)

# A request that its program withdraws, and one for another program.
assert Asking("withdraw", capability="photos", label="hasty", milliseconds=60_000).end() == ("withdrawn", False)
vouched = Caller("control").RequestFor(
    program="app:org.example.Cam", capability="photos", milliseconds=60_000, _more=True
)
control.Answer(id=next(vouched)["id"])
assert [reply["state"] for reply in vouched][-1] == "dismissed"

# Changes of decisions, and the way back.
assert len(control.Deny(program="noisy", capability="calendar:events,reminders")["decisions"]) == 2
assert len(control.Forget(program="noisy", capability="calendar:events")["decisions"]) == 1
control.Import()
both = [{"verdict": "deny", "program": name, "capabilities": [{"capability": "camera"}]} for name in ("noisy", "everyone")]
assert len(control.Decide(rulings=both)["decisions"]) == 2
assert control.Undo()["entries"][0]["kind"] == "decided"
assert control.Undo(preview=True)["conflicts"] == []
assert control.Undo()["entries"][0]["kind"] == "forgotten"
assert control.Redo(preview=True)["conflicts"] == []
assert control.Redo()["entries"][0]["kind"] == "forgotten"
assert control.Mute(program="noisy")["decisions"][0]["verdict"] == "deny"
assert len(control.Unmute(program="noisy")["decisions"]) == 1
assert control.Panic()["changed"] and control.Panic(lift=True)["changed"]
kinds = [entry["kind"] for entry in control.Log(limit=1000)["entries"]]
assert {"asked", "shown", "answered", "decided", "forgotten", "undone", "redone", "suspended", "resumed"} <= set(kinds), kinds
control.Allow(program="last", capability="photos")
follower.join(20)
assert not follower.is_alive(), "the stream ended before the last change"
labels = [entry["program"]["label"] for reply in entries for entry in reply["entries"] if entry.get("program")]
assert labels[0] == "watched" and labels[-1] == "last", labels

# Values are fields, so that none of them is taken for a wider scope, whatever it looks like.
odd = [
    {"part": "read", "scope": {"path": "/srv/a/"}},
    {"part": "read", "scope": {"path": "/srv/@*"}},
    {"part": "write", "scope": {"folder": "/srv/b"}},
]
several = [
    {"capability": "environment", "values": [{"part": "read", "scope": {"name": name}} for name in ("*", "@*", "A,read@*")]},
    {"capability": "commands", "values": [{"part": "run", "scope": {"command": "git status …"}}]},
]
kept = control.Allow(program="odd", capability="files", values=odd, capabilities=several)["decisions"]
scopes = sorted(str({name: field for name, field in one["scope"].items() if field is not None}) for one in kept)
assert scopes == sorted(
    [
        "{'path': '/srv/a'}", "{'path': '/srv/@*'}", "{'folder': '/srv/b'}", "{'name': '*'}", "{'name': '@*'}",
        "{'name': 'A,read@*'}", "{'command': 'git status …'}",
    ]
), scopes
assert expect_error("Refused", control.Deny, program="odd", capability="files:read@/srv/a")["parameter"] == "capability"
assert expect_error("Refused", control.Forget, program="odd", values=odd)["parameter"] == "capability"
assert control.Forget(program="odd", capability="files", parts=["read", "write"])["decisions"] == []
assert len(control.Forget(program="odd", capability="files", values=odd, capabilities=several)["decisions"]) == 7

# What is refused, by name and with the fields that the description promises.
assert "photos" in expect_error("UnknownCapability", control.Allow, program="x", capability="fotos")["reason"]
assert expect_error("NoSuchRequest", control.Answer, id="none")["id"] == "none"
assert expect_error("NoSuchProgram", control.Forget, program="wathced")["meant"] == "watched"
assert expect_error("NoSuchFile", control.Deny, program="/no/such", capability="photos")["path"] == "/no/such"
assert expect_error("Refused", control.Allow, program="x", capability="photos", lifetime={"kind": "once"})
assert expect_error("OnOtherSocket", Caller("ask").Pending)["socket"] == "control"

# Only permtui-run can ask for programs behind walls.
run = "0123456789abcdef"
walled = {"name": "cat", "pid": os.getpid(), "started": 0}
supervise = lambda **fields: next(iter(control.Supervise(**fields, _more=True)))
assert "permtui-run" in expect_error(
    "MayNotChange", supervise, run=run, pid=os.getpid(), started=0, program="/bin/cat", arguments=["cat"], folder="/"
)["reason"]
use = {"capability": "files", "values": [{"part": "read", "scope": {"path": "/srv/a"}}]}
ask = lambda: control.Ask(run=run, id=run, caution="socket", **use, **walled)
assert "no such run" in expect_error("MayNotChange", ask)["reason"]
assert "no such run" in expect_error("MayNotChange", control.Unask, run=run, id=run)["reason"]
enter = lambda: control.Enter(run=run, socket=1, folder="/", **walled)
assert "no such run" in expect_error("MayNotChange", enter)["reason"]

# From then on this process counts as an agent's, which can change nothing.
Caller("ask").Unasked(why="unclear", label="agent")
assert expect_error("MayNotChange", control.Allow, program="x", capability="photos")["reason"]

assert methods <= called, f"not called: {sorted(methods - called)}"
print(" ".join(sorted(called & methods)))
