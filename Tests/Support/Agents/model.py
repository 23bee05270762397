#!/usr/bin/env python3
"""A stand-in for a model, at a port of 127.0.0.1 that it prints. It has an agent run one command, and then says what the
agent reported. Tried with Claude Code 2.1.332 and Codex 0.163.0.

Usage: model.py COMMAND [plain]

With `plain`, Codex is not told to run the command outside of its own sandbox.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMAND = sys.argv[1]
ESCALATED = {} if sys.argv[2:] == ["plain"] else {"sandbox_permissions": "require_escalated", "justification": "Try it"}


def message(blocks, reason):
    """Returns the events of a reply of Anthropic's Messages API."""
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "stand-in", "content": [],
             "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    yield "message_start", {"message": start}
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": empty}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    yield "message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}}
    yield "message_stop", {}


def claude(body):
    results = [block for turn in body["messages"] if isinstance(turn["content"], list)
               for block in turn["content"] if block["type"] == "tool_result"]
    if results:
        return message([{"type": "text", "text": f"The tool said: {json.dumps(results[-1]['content'])}"}], "end_turn")
    if not body.get("tools"):
        return message([{"type": "text", "text": "ok"}], "end_turn")
    use = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": COMMAND, "description": "Try it"}}
    return message([use], "tool_use")


def codex(body):
    outputs = [item for item in body["input"] if item.get("type") == "function_call_output"]
    yield "response.created", {"response": {"id": "resp_1"}}
    if outputs:
        text = {"type": "output_text", "text": f"The tool said: {json.dumps(outputs[-1]['output'])}"}
        item = {"type": "message", "role": "assistant", "content": [text]}
    else:
        arguments = {"cmd": COMMAND, **ESCALATED}
        item = {"type": "function_call", "call_id": "call_1", "name": "exec_command", "arguments": json.dumps(arguments)}
    yield "response.output_item.done", {"item": item}
    usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
             "total_tokens": 2}
    yield "response.completed", {"response": {"id": "resp_1", "usage": usage}}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        if self.path.split("?")[0].endswith("/messages"):
            events = claude(body)
        elif self.path.endswith("/responses"):
            events = codex(body)
        else:
            self.send_response(404)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for name, data in events:
            self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode())

    def do_GET(self):
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
