"""Attacks with sockets. The arguments are a port and a socket of the machine that are denied, and such that are allowed."""
import ctypes
import errno
import fcntl
import mmap
import os
import socket
import struct
import subprocess
import sys
import threading

from attacking import attempt, call, case, libc, refused, text

LOOPBACK = "127.0.0.1"
CONNECT_DATA = 30  # TCP_FASTOPEN_CONNECT


def denied_port(): return int(sys.argv[2])
def denied_path(): return sys.argv[3]
def open_port(): return int(sys.argv[5])
def open_path(): return sys.argv[6]


def stream(family=socket.AF_INET): return socket.socket(family, socket.SOCK_STREAM)


def outside():
    """A connection that was made outside, and works."""
    made = socket.create_connection((LOOPBACK, open_port()))
    made.sendall(b"hello")
    assert made.recv(5) == b"hello"
    return made


def local_outside():
    made = stream(socket.AF_UNIX)
    made.connect(open_path())
    made.sendall(b"hello")
    assert made.recv(5) == b"hello"
    return made


def inet(port, host=LOOPBACK): return struct.pack("=H2s4s8x", socket.AF_INET, struct.pack(">H", port), socket.inet_aton(host))
def local(path): return struct.pack("=H", socket.AF_UNIX) + path


def raw(name, made, address, length=None):
    """Makes the call itself, with an address of bytes."""
    buffer = ctypes.create_string_buffer(address, max(1, len(address)))
    return call(name, made.fileno(), buffer, len(address) if length is None else length)


# ---- Connections that were made outside

@case
def outside_disconnected(): return refused(raw("connect", outside(), struct.pack("=H14x", socket.AF_UNSPEC)), errno.EOPNOTSUPP)
@case
def outside_connected_again():
    made = outside()
    return refused(raw("connect", made, inet(denied_port())), errno.EISCONN) or refused(raw("connect", made, inet(open_port())), errno.EISCONN)
@case
def outside_bound():
    made = outside()
    return refused(raw("bind", made, inet(0)), errno.EINVAL) or refused(raw("bind", made, inet(0, "0.0.0.0")), errno.EINVAL)
@case
def outside_listens():
    made = outside()
    return refused(call("listen", made.fileno(), 5), errno.EINVAL)
@case
def outside_after_its_end():
    """When the connection is over, its socket could be used for another one."""
    made = outside()
    made.shutdown(socket.SHUT_RDWR)
    while made.recv(100): pass
    for address in (struct.pack("=H14x", socket.AF_UNSPEC), inet(denied_port())):
        hole = refused(raw("connect", made, address))
        if hole: return hole
    return refused(raw("bind", made, inet(0)), errno.EINVAL) or refused(call("listen", made.fileno(), 5), errno.EINVAL)
@case
def outside_by_a_copy():
    made = outside()
    return refused(raw("connect", socket.socket(fileno=os.dup(made.fileno())), struct.pack("=H14x", socket.AF_UNSPEC)))
@case
def outside_in_another_process():
    made = outside()
    child = os.fork()
    if child == 0:
        hole = refused(call("listen", made.fileno(), 5), errno.EINVAL) or refused(raw("bind", made, inet(0)), errno.EINVAL)
        os._exit(1 if hole else 0)
    return "another process may" if os.waitpid(child, 0)[1] else None
@case
def outside_sent_to_another():
    (one, other), made = socket.socketpair(), outside()
    socket.send_fds(one, [b"x"], [made.fileno()])
    got = socket.socket(fileno=socket.recv_fds(other, 1, 1)[1][0])
    return refused(call("listen", got.fileno(), 5), errno.EINVAL) or refused(raw("bind", got, inet(0)), errno.EINVAL)
@case
def outside_sends_elsewhere():
    """A stream that is connected ignores or refuses addresses, and what is sent arrives where it belongs."""
    made = outside()
    try: made.sendto(b"there", (LOOPBACK, denied_port()))
    except OSError: return None
    return None if made.recv(5) == b"there" else "lost"
@case
def outside_changes_interfaces():
    made = outside()
    for request in (0x8914, 0x8916, 0x891C, 0x8922):  # flags, address, mask, MTU
        hole = attempt(lambda: fcntl.ioctl(made, request, struct.pack("16s24x", b"lo")) and "changed")
        if hole: return hole
@case
def outside_with_privileges():
    made = outside()
    settings = [(socket.SOL_SOCKET, 36, 1), (socket.SOL_SOCKET, 33, 1), (socket.IPPROTO_IP, 19, 1), (socket.IPPROTO_TCP, 19, 1)]
    for level, name, value in settings:  # a mark, more than the limit, transparency, repair
        hole = attempt(lambda: made.setsockopt(level, name, value) or f"set {name}")
        if hole: return hole
    return None
@case
def network_behind_an_outside_socket(): return attempt(lambda: os.fdopen(fcntl.ioctl(outside(), 0x894C)) and "opened")
@case
def local_outside_listens():
    made = local_outside()
    return refused(call("listen", made.fileno(), 5)) or refused(raw("connect", made, local(denied_path().encode() + b"\0")))


# ---- Addresses

@case
def spellings_of_this_machine():
    spelled = ["127.0.0.1", "127.1.2.3", "127.255.255.254", "0.0.0.0", "0.0.0.1"]
    for host in spelled:
        hole = refused(raw("connect", stream(), inet(denied_port(), host)))
        if hole: return f"{host} {hole}"
    for host in ["::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0", "::127.0.0.1", "64:ff9b::7f00:1"]:
        address = struct.pack("=H2sI16sI", socket.AF_INET6, struct.pack(">H", denied_port()), 0, socket.inet_pton(socket.AF_INET6, host), 0)
        hole = refused(raw("connect", stream(socket.AF_INET6), address))
        if hole: return f"{host} {hole}"
@case
def addresses_of_others():
    for host in ("10.0.0.1", "169.254.169.254", "192.168.0.1", "172.16.0.1", "255.255.255.255", "224.0.0.1", "203.0.113.9"):
        hole = refused(raw("connect", stream(), inet(80, host)))
        if hole: return f"{host} {hole}"
@case
def addresses_of_names_that_are_none():
    for host in ("198.18.0.0", "198.18.0.2", "198.18.99.1", "198.19.255.255"):
        hole = refused(raw("connect", stream(), inet(denied_port(), host)), errno.ENETUNREACH)
        if hole: return f"{host} {hole}"
@case
def broken_addresses():
    made = stream()
    good = inet(open_port())
    cases = [(b"", errno.EINVAL), (b"\2", errno.EINVAL), (good[:8], errno.EINVAL)]
    for address, error in cases:
        hole = refused(raw("connect", made, address), error)
        if hole: return f"{address} {hole}"
    for length in (-1, 129, 1 << 20, (1 << 31) - 1):
        hole = refused(raw("connect", made, good, length), errno.EINVAL, errno.EFAULT)
        if hole: return f"{length} {hole}"
    return refused(call("connect", made.fileno(), 4096, 16), errno.EFAULT) or refused(call("bind", made.fileno(), 4096, 16), errno.EFAULT)
@case
def broken_descriptors():
    file = open("open/file")
    for number in (file.fileno(), 999, -1):
        for name in ("connect", "bind"):
            buffer = ctypes.create_string_buffer(inet(open_port()))
            hole = refused(call(name, number, buffer, 16), errno.EBADF, errno.ENOTSOCK)
            if hole: return hole
        hole = refused(call("listen", number, 5), errno.EBADF, errno.ENOTSOCK)
        if hole: return hole
@case
def address_with_high_bits():
    """The kernel reads the lower half of these arguments; so must the warden."""
    buffer = ctypes.create_string_buffer(inet(denied_port()))
    return refused(call("connect", stream().fileno() | 1 << 40, buffer, 16 | 1 << 40))
@case
def wrong_family(): return refused(raw("connect", stream(), struct.pack("=H2s24x", socket.AF_INET6, struct.pack(">H", denied_port()))))
@case
def port_zero(): return refused(raw("connect", stream(), inet(0))) or refused(raw("connect", stream(), inet(0, "203.0.113.9")), errno.ECONNREFUSED)
@case
def address_rewritten():
    """A thread changes the port in memory while the other connects. Each port is allowed or denied as it was copied."""
    buffer = (ctypes.c_char * 16).from_buffer_copy(inet(open_port()))
    ports = [struct.pack(">H", port) for port in (open_port(), denied_port())]
    stop = threading.Event()
    def rewrite():
        while not stop.is_set():
            for port in ports: ctypes.memmove(ctypes.addressof(buffer) + 2, port, 2)
    thread = threading.Thread(target=rewrite)
    thread.start()
    reached, hole = 0, None
    for _ in range(400):
        made = stream()
        if call("connect", made.fileno(), buffer, 16) == 0:
            reached += 1
            if made.getpeername()[1] != open_port(): hole = f"reached {made.getpeername()}"
    stop.set()
    thread.join()
    return hole or (None if reached else "never reached the port that is allowed")
@case
def path_rewritten():
    """The same with the path of a socket of the machine, and one of the run."""
    os.makedirs("/tmp/a", exist_ok=True)
    server = stream(socket.AF_UNIX)
    server.bind("/tmp/a/own")
    server.listen(64)
    names = [p.encode() + b"\0" for p in ("/tmp/a/own", denied_path())]
    size = max(map(len, names))
    buffer = (ctypes.c_char * (2 + size)).from_buffer_copy(local(names[0].ljust(size, b"\0")))
    stop = threading.Event()
    def rewrite():
        while not stop.is_set():
            for name in names: ctypes.memmove(ctypes.addressof(buffer) + 2, name, len(name))
    thread = threading.Thread(target=rewrite)
    thread.start()
    hole = None
    for _ in range(400):
        made = stream(socket.AF_UNIX)
        made.setblocking(False)
        if call("connect", made.fileno(), buffer, 2 + size) == 0:
            if made.getpeername() != "own": hole = made.getpeername()
            server.accept()[0].close()
    stop.set()
    thread.join()
    return hole
@case
def address_in_the_shadow():
    """The warden reads the address from a page that it has to serve itself."""
    with open("open/address", "wb") as file: file.write(inet(denied_port()).ljust(4096, b"\0"))
    with open("open/address", "rb") as file: page = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE, flags=mmap.MAP_PRIVATE)
    return refused(call("connect", stream().fileno(), ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page))), 16))
@case
def thread_with_its_own_descriptors():
    """unshare would give a thread other descriptors than those that the warden looks at."""
    return refused(call("unshare", 0x400), errno.EPERM)


# ---- Without connect

@case
def open_while_connecting():
    made = stream()
    try: made.setsockopt(socket.IPPROTO_TCP, CONNECT_DATA, 1)
    except OSError: return None
    return refused(raw("connect", made, inet(denied_port())))
@case
def many_messages_with_addresses():
    made = stream()
    return attempt(lambda: made.sendmsg([b"x"], [], 0, (LOOPBACK, denied_port())) and "sent")
@case
def datagrams_do_not_leave():
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for host in ("10.0.0.1", "203.0.113.9"):
        hole = refused(raw("connect", made, inet(53, host)), errno.ENETUNREACH) or attempt(lambda: made.sendto(b"x", (host, 53)) and "sent")
        if hole: return hole
    return attempt(lambda: made.sendmsg([b"x"], [], 0, ("203.0.113.9", 53)) and "sent")
@case
def datagrams_do_not_reach_the_machine():
    """What is sent to the loopback stays in the run's own network."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.settimeout(0.2)
    made.sendto(b"x", (LOOPBACK, denied_port()))
    return attempt(lambda: made.recv(10) and "answered")
@case
def interfaces_by_netlink():
    """The warden binds the socket, but what it says is said with the program's rights."""
    made = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    made.bind((0, 0))
    address = struct.pack("=BBBBI", 2, 24, 0, 0, 1) + struct.pack("=HH4s", 8, 2, socket.inet_aton("10.9.9.9"))
    made.send(struct.pack("=IHHII", 16 + len(address), 20, 5 | 0x600, 1, 0) + address)
    return refused(struct.unpack("=i", made.recv(4096)[16:20])[0], errno.EPERM)
@case
def names_without_a_file():
    """Abstract names are the network's, and the run has its own."""
    server = stream(socket.AF_UNIX)
    return refused(raw("bind", server, local(b"\0inside")), errno.EPERM) or refused(raw("bind", server, local(b"")), errno.EPERM) or refused(
        raw("connect", stream(socket.AF_UNIX), local(b"\0" + denied_path().encode())), errno.ECONNREFUSED)


# ---- Sockets of the machine

@case
def socket_of_the_machine():
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        hole = attempt(lambda: socket.socket(socket.AF_UNIX, kind).connect(denied_path()) or "connected")
        if hole: return hole
@case
def socket_by_a_link():
    os.symlink(denied_path(), "open/link")
    os.symlink("/opt", "open/folder")
    name = os.path.basename(denied_path())
    for path in ("open/link", f"open/folder/{name}", f"/tmp/../opt/{name}", f"/opt/./{name}", f"open/../../../../../../../../opt/{name}"):
        hole = attempt(lambda: stream(socket.AF_UNIX).connect(path) or path)
        if hole: return hole
@case
def socket_by_magic():
    entry = os.open(denied_path(), os.O_PATH)
    for path in (f"/proc/self/fd/{entry}", f"/proc/self/root{denied_path()}", f"/proc/1/root{denied_path()}", f"/dev/fd/{entry}"):
        hole = attempt(lambda: stream(socket.AF_UNIX).connect(path) or path)
        if hole: return hole
@case
def socket_from_a_folder():
    os.chdir("/opt")
    return attempt(lambda: stream(socket.AF_UNIX).connect(os.path.basename(denied_path())) or "connected")
@case
def socket_without_an_end():
    """A path may fill its place to the last byte."""
    path = denied_path().encode()
    path = b"/" * (108 - len(path)) + path
    return refused(raw("connect", stream(socket.AF_UNIX), local(path)))
@case
def socket_in_a_folder_that_is_allowed(): return attempt(lambda: stream(socket.AF_UNIX).connect("open/host") or "connected")
@case
def socket_under_another_name():
    """A further name of a socket is another value, and it is not allowed either."""
    hole = attempt(lambda: os.link(denied_path(), "/tmp/linked") or "linked") or attempt(lambda: os.link("open/host", "open/linked") or "linked")
    return None if hole is None or attempt(lambda: stream(socket.AF_UNIX).connect("open/linked") or "x") is None else hole
@case
def file_as_socket(): return refused(raw("connect", stream(socket.AF_UNIX), local(b"open/file\0")), errno.ECONNREFUSED)
@case
def socket_that_is_missing(): return refused(raw("connect", stream(socket.AF_UNIX), local(b"open/nothing\0")), errno.ENOENT)
@case
def socket_in_the_system(): return refused(raw("bind", stream(socket.AF_UNIX), local(b"/usr/socket\0")), errno.EROFS, errno.EACCES)
@case
def socket_in_what_is_denied(): return refused(raw("bind", stream(socket.AF_UNIX), local(b"secret/socket\0")), errno.EACCES)
@case
def socket_in_what_may_be_read(): return refused(raw("bind", stream(socket.AF_UNIX), local(b"look/socket\0")), errno.EACCES)
@case
def socket_with_strange_names():
    for name in (b".\0", b"..\0", b"open/.\0", b"open/..\0", b"open/\0", b"open/file\0", b"open/none/socket\0"):
        hole = refused(raw("bind", stream(socket.AF_UNIX), local(name)))
        if hole: return f"{name} {hole}"
@case
def socket_of_permtui():
    """Its own sockets do not exist inside."""
    return refused(raw("connect", stream(socket.AF_UNIX), local(sys.argv[4].encode() + b"/ask\0")), errno.ENOENT, errno.EACCES)
@case
def raw_pair(): return attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW) and "pair of datagram sockets")


# ---- Names

@case
def resolver_cannot_be_replaced(): return attempt(lambda: open("/etc/resolv.conf", "w") and "opened") or (
    None if open("/etc/resolv.conf").read() == "nameserver 127.0.0.1\n" else "another resolver")
@case
def port_of_the_names():
    for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
        hole = attempt(lambda: socket.socket(socket.AF_INET, kind).bind((LOOPBACK, 53)) or "bound")
        if hole: return hole
@case
def name_of_this_machine():
    """Names that lead here are no way around what was denied."""
    for name in ("localhost", "x.localhost", "LOCALHOST", socket.gethostname()):
        hole = attempt(lambda: socket.create_connection((name, denied_port()), 5) and name)
        if hole: return hole
@case
def listener_of_another_filter():
    """A second listener could answer in the warden's place."""
    instructions = struct.pack("HBBI", 6, 0, 0, 0x7FFF0000)
    buffer = ctypes.create_string_buffer(instructions)
    program = ctypes.create_string_buffer(struct.pack("H6xQ", 1, ctypes.addressof(buffer)))
    libc.prctl(38, 1, 0, 0, 0)
    return refused(call("seccomp", 1, 8, program), errno.EBUSY)
@case
def filter_that_lets_through():
    """Of two filters, the stricter answer counts: what the second one allows is the warden's all the same."""
    buffer = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
    program = ctypes.create_string_buffer(struct.pack("H6xQ", 1, ctypes.addressof(buffer)))
    libc.prctl(38, 1, 0, 0, 0)
    for flags in (0, 1):
        if call("seccomp", 1, flags, program) < 0: return "no filter"
    return refused(raw("connect", stream(), inet(denied_port())))
