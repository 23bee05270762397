"""A program that asks, for client.py: a program that asks may not answer, so it is a process of its own.

    asker.py SOCKET_FOLDER PARAMETERS [VERDICT]

It prints each reply to its Request as a line of JSON, and at the end what Status says of it. With a verdict it asks on its
own terminal first: it says so, waits for a line, and answers. With "withdraw" in place of a verdict it withdraws instead.
"""

import json
import sys
import threading

import varlink

INTERFACE = "io.permtui.Broker"
folder, parameters = sys.argv[1], json.loads(sys.argv[2])
verdict = sys.argv[3] if len(sys.argv) > 3 else None


def connect():
    client = varlink.Client.new_with_address(f"unix:{folder}/ask")
    client.get_interface(INTERFACE)
    return client.open(INTERFACE)


def tell(**what):
    print(json.dumps(what), flush=True)


def answer(id):
    caller = connect()
    if verdict == "withdraw":
        assert caller.Withdraw(id=id)["count"] == 1
        return
    caller.AskHere(id=id, asks=True)
    tell(asks=True)
    sys.stdin.readline()
    caller.AnswerHere(id=id, verdict=verdict)


answering = None
for reply in connect().Request(_more=True, **parameters):
    tell(reply=reply)
    if verdict and answering is None:
        answering = threading.Thread(target=answer, args=(reply["id"],))
        answering.start()
tell(met=connect().Status(capability=parameters["capability"], label=parameters["label"])["state"] == "allowed")
