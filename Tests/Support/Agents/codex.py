#!/usr/bin/env python3
"""Has Codex do one turn through its app server, with its hooks trusted. Prints what the model said at the end. Questions
that reach the app server, because the hook was silent, are printed and declined. Tried with Codex 0.163.0.

Usage: codex.py PROGRAM FOLDER
"""

import json
import os
import subprocess
import sys

PROGRAM, FOLDER = sys.argv[1:]
CONFIG = os.path.join(os.environ["HOME"], ".codex", "config.toml")


class AppServer:
    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.call("initialize", {"clientInfo": {"name": "test", "version": "1"}})
        self.send({"method": "initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def messages(self):
        for line in self.process.stdout:
            yield json.loads(line)

    def call(self, method, parameters):
        self.send({"id": method, "method": method, "params": parameters})
        for message in self.messages():
            if message.get("id") == method and "method" not in message:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def end(self):
        self.process.terminate()
        self.process.wait()


def trust_hooks():
    """Writes what a person writes by reviewing the hooks with `/hooks`."""
    server = AppServer()
    found = server.call("hooks/list", {"cwds": [FOLDER]})
    server.end()
    with open(CONFIG, "a+") as config:
        config.seek(0)
        known = config.read()
        for hook in (hook for entry in found["data"] for hook in entry["hooks"]):
            if json.dumps(hook["key"]) not in known:
                config.write(f"\n[hooks.state.{json.dumps(hook['key'])}]\ntrusted_hash = {json.dumps(hook['currentHash'])}\n")


def one_turn():
    server = AppServer()
    thread = server.call("thread/start", {"cwd": FOLDER, "approvalPolicy": "on-request", "sandbox": "workspace-write"})
    server.call("turn/start", {"threadId": thread["thread"]["id"], "input": [{"type": "text", "text": "go"}]})
    for message in server.messages():
        method = message.get("method", "")
        if method.endswith("/requestApproval"):
            print("asked in the agent:", message["params"].get("command"), flush=True)
            server.send({"id": message["id"], "result": {"decision": "decline"}})
        elif method == "item/completed" and message["params"]["item"]["type"] == "agentMessage":
            print(message["params"]["item"]["text"], flush=True)
        elif method == "turn/completed":
            break
    server.end()


trust_hooks()
one_turn()
