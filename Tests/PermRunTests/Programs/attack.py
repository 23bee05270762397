"""Tries to get out of the walls: attack.py CASE. Prints "held", or what it has reached.

It works in a folder with `open`, in which the program may write, `look`, which it may read, and `secret`, which is denied.
`secret/file` contains SECRET, `look/file` LOOK and `open/file` OPEN.
"""
import ctypes
import errno
import fcntl
import mmap
import os
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time

from attacking import AT_FDCWD, CASES, X86, attempt, call, case, libc, read, refused, text
import attack_names
import attack_network
import attack_processes


# ---- Reading what is denied

@case
def plain_open(): return attempt(lambda: read("secret/file"))
@case
def dots(): return attempt(lambda: read("open/../secret/file"))
@case
def folder_descriptor():
    folder = os.open("open", os.O_PATH)
    return attempt(lambda: read("../secret/file", folder))
@case
def path_descriptor():
    file = os.open("secret/file", os.O_PATH)
    return attempt(lambda: read(f"/proc/self/fd/{file}"))
@case
def path_descriptor_of_folder():
    folder = os.open("secret", os.O_PATH | os.O_DIRECTORY)
    return attempt(lambda: read("file", folder)) or attempt(lambda: os.listdir(f"/proc/self/fd/{folder}"))
@case
def working_folder():
    os.chdir("secret")
    return attempt(lambda: read("file")) or attempt(lambda: read("/proc/self/cwd/file"))
@case
def listing(): return attempt(lambda: os.listdir("secret"))
@case
def symbolic_link():
    os.symlink("../secret/file", "open/link")
    return attempt(lambda: read("open/link"))
@case
def link_to_folder():
    os.symlink("../secret", "open/link")
    return attempt(lambda: read("open/link/file"))
@case
def hard_link():
    if attempt(lambda: os.link("secret/file", "open/linked")) is None: return attempt(lambda: read("open/linked"))
    return "linked"
@case
def link_of_descriptor():
    file = os.open("secret/file", os.O_PATH)
    result = call("linkat", file, text(""), AT_FDCWD, text("open/linked"), 0x1000)
    return refused(result) or refused(call("linkat", AT_FDCWD, text(f"/proc/self/fd/{file}"), AT_FDCWD, text("open/linked"), 0x400))
@case
def rename_out(): return attempt(lambda: os.rename("secret/file", "open/moved"))
@case
def rename_folder(): return attempt(lambda: os.rename("secret", "open/moved"))
@case
def rename_parent(): return attempt(lambda: os.rename("../work", "../other"))
@case
def rename_in(): return attempt(lambda: os.rename("open/file", "secret/file"))
@case
def exchange():
    os.mkdir("open/folder")
    return refused(call("renameat2", AT_FDCWD, text("open/folder"), AT_FDCWD, text("secret"), 2))
@case
def exchange_files():
    return refused(call("renameat2", AT_FDCWD, text("open/file"), AT_FDCWD, text("secret/file"), 2))
@case
def whiteout(): return refused(call("renameat2", AT_FDCWD, text("open/file"), AT_FDCWD, text("open/x"), 4))
@case
def roots():
    here = os.getcwd()
    for root in ("/proc/self/root", "/proc/1/root", "/proc/self/cwd/../../../../../..", "/proc/1/cwd"):
        found = attempt(lambda: read(f"{root}{here}/secret/file"))
        if found: return found
@case
def openat2():
    how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
    return refused(call("openat2", AT_FDCWD, text("secret/file"), how, len(how)))
@case
def file_handle():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call("name_to_handle_at", AT_FDCWD, text("secret/file"), handle, ctypes.byref(mount), 0)
    return refused(call("open_by_handle_at", os.open(".", os.O_PATH), handle, 0), errno.EPERM)
@case
def execute():
    return attempt(lambda: subprocess.run(["./secret/script"], stdout=subprocess.PIPE).stdout or None)
@case
def execute_descriptor():
    file = os.open("secret/script", os.O_PATH)
    child = os.fork()
    if child == 0:
        call("execveat", file, text(""), 0, 0, 0x1000)
        os._exit(99)
    return None if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 99 else "executed"
@case
def copy_range():
    # Both ends of a copy have to be open already.
    return attempt(lambda: os.open("secret/file", os.O_RDONLY))
@case
def race_of_links():
    """One thread swaps a link between an allowed file and the secret, the other opens it."""
    end = time.monotonic() + 1.5
    def swap():
        while time.monotonic() < end:
            for target in ("file", "../secret/file"):
                os.symlink(target, "open/next")
                os.rename("open/next", "open/link")
    os.symlink("file", "open/link")
    thread = threading.Thread(target=swap)
    thread.start()
    found = None
    while time.monotonic() < end and not found: found = attempt(lambda: read("open/link"))
    thread.join()
    return found
@case
def race_of_folders():
    """One thread exchanges a folder with a link to the secret one, the other opens files in it."""
    end = time.monotonic() + 1.5
    os.mkdir("open/folder")
    open("open/folder/file", "w").write("OPEN")
    os.symlink("../secret", "open/other")
    def swap():
        while time.monotonic() < end: call("renameat2", AT_FDCWD, text("open/folder"), AT_FDCWD, text("open/other"), 2)
    thread = threading.Thread(target=swap)
    thread.start()
    found = None
    while time.monotonic() < end and not found: found = attempt(lambda: read("open/folder/file"))
    thread.join()
    return found
@case
def race_of_paths():
    """One thread changes the path in memory while the other opens it."""
    end = time.monotonic() + 1.5
    path = ctypes.create_string_buffer(b"open/file\0\0\0\0")
    def change():
        while time.monotonic() < end:
            path.value = b"secret/file"
            path.value = b"open/file"
    thread = threading.Thread(target=change)
    thread.start()
    found = None
    while time.monotonic() < end and not found:
        file = libc.open(path, 0)
        if file >= 0:
            if b"SECRET" in os.read(file, 100): found = "read SECRET"
            os.close(file)
    thread.join()
    return found


# ---- Writing what may only be read, or not at all

@case
def create_in_secret(): return attempt(lambda: os.open("secret/new", os.O_CREAT | os.O_WRONLY))
@case
def remove_in_secret(): return attempt(lambda: os.unlink("secret/file"))
@case
def folder_in_secret(): return attempt(lambda: os.mkdir("secret/folder"))
@case
def link_in_secret(): return attempt(lambda: os.symlink("x", "secret/link"))
@case
def write_read_only(): return attempt(lambda: os.open("look/file", os.O_WRONLY))
@case
def truncate_at_open(): return attempt(lambda: os.open("look/file", os.O_RDONLY | os.O_TRUNC))
@case
def truncate(): return attempt(lambda: os.truncate("look/file", 0) or "truncated")
@case
def reopen_for_writing():
    file = os.open("look/file", os.O_RDONLY)
    return attempt(lambda: os.open(f"/proc/self/fd/{file}", os.O_RDWR))
@case
def change_mode(): return attempt(lambda: os.chmod("look/file", 0o777) or "changed")
@case
def change_mode_by_descriptor():
    return attempt(lambda: os.fchmod(os.open("look/file", os.O_RDONLY), 0o777) or "changed")
@case
def change_times(): return attempt(lambda: os.utime("look/file", (0, 0)) or "changed")
@case
def change_owner(): return attempt(lambda: os.chown("look/file", os.getuid(), os.getgid()) or "changed")
@case
def shared_mapping():
    file = os.open("look/file", os.O_RDONLY)
    return attempt(lambda: bytes(mmap.mmap(file, 4, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)) and "mapped")
@case
def unlink_read_only(): return attempt(lambda: os.unlink("look/file") or "removed")
@case
def replace_read_only(): return attempt(lambda: os.rename("open/file", "look/file") or "replaced")
@case
def nameless_file():
    try: file = os.open("open", os.O_TMPFILE | os.O_RDWR)
    except OSError: return None
    return refused(call("linkat", AT_FDCWD, text(f"/proc/self/fd/{file}"), AT_FDCWD, text("secret/new"), 0x400))
@case
def extended_attribute(): return attempt(lambda: os.setxattr("look/file", "user.x", b"y") or "set")
@case
def allocate(): return attempt(lambda: os.posix_fallocate(os.open("look/file", os.O_RDONLY), 0, 9999) or "allocated")
@case
def set_user_id():
    os.chmod("open/file", 0o6755)
    return "set" if os.stat("open/file").st_mode & 0o6000 else None
@case
def device(): return attempt(lambda: os.mknod("open/device", stat.S_IFCHR | 0o666, os.makedev(1, 3)) or "made")
@case
def socket_file(): return attempt(lambda: os.mknod("open/socket", stat.S_IFSOCK | 0o666) or "made")
@case
def system_folder(): return attempt(lambda: os.open("/usr/permtui-test", os.O_CREAT | os.O_WRONLY)) or attempt(lambda: os.open("/etc/passwd", os.O_WRONLY))
@case
def kernel_settings(): return attempt(lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)) or attempt(lambda: os.open("/proc/sysrq-trigger", os.O_WRONLY))


# ---- Mounts, namespaces and other machines within the machine

def forbidden(name, *arguments): return refused(call(name, *arguments), errno.EPERM)

@case
def mounts():
    none = text("none")
    return (forbidden("mount", text("secret"), text("open"), none, 4096, 0) or forbidden("umount2", text("/"), 2)
            or forbidden("pivot_root", text("."), text(".")) or forbidden("chroot", text("/tmp"))
            or forbidden("open_tree", AT_FDCWD, text("/"), 1) or forbidden("move_mount", AT_FDCWD, none, AT_FDCWD, none, 0)
            or forbidden("fsopen", text("tmpfs"), 0) or forbidden("mount_setattr", AT_FDCWD, none, 0, none, 32))
@case
def namespaces():
    for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000):
        hole = forbidden("unshare", flag)
        if hole: return hole
        result = call("clone", flag | signal.SIGCHLD, 0, 0, 0, 0)
        if result == 0: os._exit(0)
        if result != -errno.EPERM: return f"clone with {flag:x}: {result}"
    return forbidden("setns", os.open("/proc/self/ns/mnt", os.O_RDONLY), 0) or refused(call("clone3", 0, 0), errno.ENOSYS)
@case
def machine_calls():
    names = ("reboot", "sethostname", "kexec_load", "init_module", "swapon", "settimeofday", "syslog", "quotactl", "acct",
             "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "kcmp", "fanotify_init")
    for name in names:
        hole = forbidden(name, 0, 0, 0, 0, 0)
        if hole: return f"{name}: {hole}"
@case
def rings(): return refused(call("io_uring_setup", 8, ctypes.create_string_buffer(200)), errno.ENOSYS)
@case
def unknown_call(): return refused(call(999, 0), errno.ENOSYS)
@case
def other_numbers(): return refused(call(0x40000000 | 39), errno.ENOSYS) if X86 else None
@case
def other_machine():
    """getpid of a 32-bit program: mov eax, 20; int 0x80; cdqe; ret"""
    if not X86: return None
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\x48\x98\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return refused(ctypes.CFUNCTYPE(ctypes.c_long)(address)(), errno.ENOSYS)


# ---- The first process, the warden, terminals

@case
def first_process():
    part = ctypes.create_string_buffer(16)
    vector = struct.pack("QQ", ctypes.addressof(part), 16)
    descriptor = call("pidfd_open", 1, 0)
    return (refused(call("ptrace", 16, 1, 0, 0)) or refused(call("process_vm_readv", 1, vector, 1, vector, 1, 0))
            or (refused(call("pidfd_getfd", descriptor, 0, 0)) if descriptor >= 0 else None)
            or attempt(lambda: os.listdir("/proc/1/fd")) or attempt(lambda: os.open("/proc/1/mem", os.O_RDWR)))
@case
def other_processes():
    mine = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    return None if max(mine) < 100 else f"sees {sorted(mine)}"
@case
def kill_all():
    """Reaches the processes inside only, and not the first."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    for process, number in ((-1, signal.SIGUSR1), (1, signal.SIGKILL), (1, signal.SIGSTOP)):
        attempt(lambda: os.kill(process, number))
    return None
@case
def terminal_input():
    control, terminal = os.openpty()
    for request in (0x5412, 0x1_0000_5412, 0x541C):
        result = libc.ioctl(terminal, ctypes.c_ulong(request), text("x"))
        if result == 0 or ctypes.get_errno() != errno.EPERM: return f"{request:x}: {result}, {ctypes.get_errno()}"
@case
def rights():
    return "root" if os.geteuid() == 0 else attempt(lambda: os.setuid(0) or "root") or attempt(lambda: os.setgroups([0]) or "group")
@case
def set_user_id_program():
    out = subprocess.run(["su", "-c", "id -u"], input=b"\n", capture_output=True).stdout
    return "root" if out.strip() == b"0" else None
@case
def core(): return None if __import__("resource").getrlimit(4) == (1, 1) else "a core handler would run"


# ---- The network. More are in attack_network.py

@case
def loopback_of_the_host():
    for port in (int(sys.argv[2]),):
        for address in ("127.0.0.1", "::1"):
            try: socket.create_connection((address, port), 2)
            except OSError: continue
            return f"connected to {address}"
@case
def address_of_the_host(): return attempt(lambda: socket.create_connection(("10.0.0.1", 80), 2) and "connected")
@case
def datagrams(): return attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("10.0.0.1", 53)))
@case
def families():
    for family in (socket.AF_PACKET, getattr(socket, "AF_VSOCK", 40), getattr(socket, "AF_ALG", 38), 29, 31):
        hole = attempt(lambda: socket.socket(family, socket.SOCK_STREAM) and f"family {family}") or attempt(
            lambda: socket.socket(family, socket.SOCK_DGRAM) and f"family {family}")
        if hole: return hole
    return attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) and "datagrams to files")
@case
def raw_sockets():
    return attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1) and "raw") or attempt(
        lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1) and "ping")
@case
def socket_pair():
    return attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) and "datagram pair")
@case
def pair_that_connects():
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    sequential = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return attempt(lambda: pair[0].connect(sys.argv[3]) or "connected") or attempt(lambda: sequential[0].connect(sys.argv[3]) or "connected")
@case
def fast_open():
    for body in (lambda s: s.sendto(b"x", 0x20000000, ("127.0.0.1", 9)), lambda s: s.sendmsg([b"x"], [], 0x20000000, ("127.0.0.1", 9))):
        try: body(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        except OSError as error:
            if error.errno != errno.EOPNOTSUPP: return f"failed with {error}"
        else: return "sent"
@case
def network_settings():
    other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    return attempt(lambda: fcntl.ioctl(other, 0x8914, struct.pack("16sh22x", b"lo", 0)) and "lo is down") or attempt(
        lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9) and "another netlink")


# ---- PermTUI's own files, which do not exist inside

def own(): return sys.argv[4]

@case
def hidden_store(): return attempt(lambda: os.stat(own()) and "there") or attempt(lambda: read(own()))
@case
def hidden_in_list():
    return None if os.path.basename(own()) not in os.listdir(os.path.dirname(own())) else "listed"
@case
def hidden_create():
    for body in (lambda: os.mkdir(own()), lambda: os.open(own(), os.O_CREAT | os.O_WRONLY), lambda: os.symlink("x", own())):
        try: body()
        except OSError as error:
            if error.errno != errno.EACCES: return f"told by {error}"
        else: return "made"
@case
def hidden_replace(): return attempt(lambda: os.rename("open/file", own()) or "replaced")
@case
def hidden_remove(): return attempt(lambda: os.unlink(own()) or "removed")
@case
def hidden_link(): return attempt(lambda: os.link(own(), "open/linked") or "linked")
@case
def hidden_folder_moved(): return attempt(lambda: os.rename(os.path.dirname(own()), os.path.dirname(own()) + "2") or "moved")
@case
def hidden_beside(): return attempt(lambda: os.open(own() + "-wal", os.O_CREAT | os.O_WRONLY))


# ---- Git's settings

@case
def head_is_a_reference():
    open("open/r/.git/HEAD.lock", "w").write("/etc/passwd\n")
    return attempt(lambda: os.rename("open/r/.git/HEAD.lock", "open/r/.git/HEAD") or "replaced")
@case
def head_with_a_second_name():
    open("open/r/.git/HEAD.lock", "w").write("ref: refs/heads/x\n")
    os.link("open/r/.git/HEAD.lock", "open/second")
    return attempt(lambda: os.rename("open/r/.git/HEAD.lock", "open/r/.git/HEAD") or "replaced")
@case
def head_changed_afterwards():
    file = os.open("open/r/.git/HEAD.lock", os.O_CREAT | os.O_WRONLY)
    os.write(file, b"ref: refs/heads/x\n")
    os.rename("open/r/.git/HEAD.lock", "open/r/.git/HEAD")
    attempt(lambda: os.pwrite(file, b"ref: ../../other\n", 0))
    return None if open("open/r/.git/HEAD").read() == "ref: refs/heads/x\n" else "changed"
@case
def head_is_a_link():
    os.symlink("/etc/passwd", "open/r/.git/HEAD.lock")
    return attempt(lambda: os.rename("open/r/.git/HEAD.lock", "open/r/.git/HEAD") or "replaced")

# ---- Strange files

@case
def device_of_the_host(): return attempt(lambda: os.open("open/null", os.O_RDONLY))
@case
def pipe_of_the_host():
    """A FIFO made outside connects programs inside only: nobody reads it here."""
    return attempt(lambda: os.open("open/pipe", os.O_WRONLY | os.O_NONBLOCK))
@case
def socket_of_the_host(): return attempt(lambda: os.open("open/socket", os.O_RDONLY))
@case
def foreign_file_systems(): return f"sees {os.listdir('/sys')}" if os.listdir("/sys") else None
@case
def temporary_files():
    open("/tmp/permtui-inside", "w").write("x")
    open("/dev/shm/permtui-inside", "w").write("x")
    return None
@case
def names():
    """Names of 255 bytes that are no UTF-8, and names that are no names."""
    name = b"open/" + b"\xff\xfe" * 127 + b"x"
    open(name, "w").write("x")
    if open(name).read() != "x" or os.path.basename(name) not in os.listdir(b"open"): return "lost"
    os.unlink(name)
    return attempt(lambda: os.open(b"open/" + b"x" * 256, os.O_CREAT | os.O_WRONLY))


if sys.argv[1] == "list":
    print("\n".join(CASES))
else:
    print(CASES[sys.argv[1]]() or "held")
