"""The world outside, for the tests: servers for names, http, https and ssh, in a network namespace.

world.py FOLDER: serves the folder. In it are `names.json`, with the addresses of each name, and the certificate.
`asked` lists the names that were asked for. It prints "ready".
"""
import http.server
import json
import os
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading

FOLDER = sys.argv[1]
os.chdir(FOLDER)
NAMES = json.load(open("names.json"))
ADDRESS = "203.0.113.2"


def name_in(message):
    labels, place = [], 12
    while message[place]:
        labels.append(message[place + 1:place + 1 + message[place]].decode())
        place += 1 + message[place]
    return ".".join(labels).lower(), place + 1


def answer(message):
    name, end = name_in(message)
    kind = struct.unpack(">H", message[end:end + 2])[0]
    with open("asked", "a") as log: log.write(name + "\n")
    family = {1: socket.AF_INET, 28: socket.AF_INET6}.get(kind)
    found = [a for a in NAMES.get(name, []) if family and (":" in a) == (family == socket.AF_INET6)]
    code = 0 if name in NAMES else 3
    head = message[:2] + bytes([0x85, 0x80 | code]) + struct.pack(">HHHH", 1, len(found), 0, 0)
    records = [socket.inet_pton(family, a) for a in found]
    return head + message[12:end + 4] + b"".join(struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(r)) + r for r in records)


def serve_names():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((ADDRESS, 53))
    while True:
        message, sender = server.recvfrom(4096)
        try: server.sendto(answer(message), sender)
        except (IndexError, UnicodeDecodeError): pass


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path not in ("/", "/endless"): return super().do_GET()
        if self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True: self.wfile.write(b"x" * 1024)
            except OSError: return
        text = f"hello from {self.headers['Host']}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments): pass


def serve(address, port, context=None):
    class Server(http.server.ThreadingHTTPServer):
        address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        daemon_threads = True
        request_queue_size = 256
    server = Server((address, port), Handler)
    if context: server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()


secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
secure.load_cert_chain("certificate.pem", "key.pem")
for host in ("198.51.100.10", "198.51.100.20", "10.9.8.7", "169.254.169.254", "2001:db8:5::10"):
    serve(host, 80)
    serve(host, 443, secure)
threading.Thread(target=serve_names, daemon=True).start()
os.makedirs("/run/sshd", exist_ok=True)
subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", "sshd_config"], stderr=open("sshd.log", "w"))
print("ready", flush=True)
signal.pause()
