"""Attacks with processes: old system calls, mounts, limits, signals and filters."""
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import stat
import struct
import subprocess
import time

from attacking import AT_FDCWD, X86, attempt, call, case, libc, read, refused, text


# ---- Old system calls

def old_call(number, *arguments):
    """Makes a system call of a 32-bit program: eax, ebx, ecx, edx, then int 0x80. Pointers must lie below 4 GiB."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    loads = b"".join(bytes([byte]) + struct.pack("<I", value)
                     for byte, value in zip((0xB8, 0xBB, 0xB9, 0xBA), (number,) + arguments))
    # The register rbx belongs to the caller: push rbx; loads; int 0x80; pop rbx; cdqe; ret
    code.write(b"\x53" + loads + b"\xcd\x80\x5b\x48\x98\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_long)(address)()


def low_text(string):
    """The address of a text below 4 GiB."""
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x62, -1, ctypes.c_long(0))  # MAP_32BIT
    ctypes.memmove(address, string.encode() + b"\0", len(string) + 1)
    return address


@case
def open_of_a_32_bit_program():
    return refused(old_call(5, low_text("secret/file"), 0, 0), errno.ENOSYS) if X86 else None
@case
def mount_of_a_32_bit_program():
    return refused(old_call(21, low_text("secret"), low_text("open"), 0), errno.ENOSYS) if X86 else None
@case
def open_of_x32():
    return refused(call(0x40000000 | 257, AT_FDCWD, text("secret/file"), 0), errno.ENOSYS) if X86 else None
@case
def old_open():
    if not X86: return None
    return refused(call(2, text("secret/file"), 0), errno.EACCES) or refused(call(85, text("look/new"), 0o600), errno.EACCES)
@case
def library_of_old(): return refused(call(134, text("secret/file"))) if X86 else None
@case
def ports_and_segments():
    if not X86: return None
    return refused(call(172, 3)) or refused(call(173, 0, 1, 1)) or refused(call(154, 1, 0, 0))
@case
def old_settings(): return refused(call(156, ctypes.create_string_buffer(64))) if X86 else None
@case
def number_with_high_bits():
    """The kernel looks at the lower half of a number only; so does the filter."""
    if not X86: return None
    return refused(call(0x1_0000_0000 | 165, text("secret"), text("open"), text("none"), 4096, 0))


# ---- Mounts and devices

@case
def system_made_writable():
    for path in ("/usr", "/etc", "/", "/proc"):
        hole = refused(call("mount", 0, text(path), 0, 32 | 4096, 0), errno.EPERM)
        if hole: return hole
@case
def mounts_taken_away():
    for path in ("/usr", "/etc", "/proc", "/dev", "/tmp", "/dev/pts"):
        hole = refused(call("umount2", text(path), 2), errno.EPERM)
        if hole: return hole
@case
def map_of_users():
    return attempt(lambda: os.write(os.open("/proc/self/uid_map", os.O_WRONLY), b"0 0 1")) or attempt(
        lambda: os.write(os.open("/proc/self/setgroups", os.O_WRONLY), b"allow"))
@case
def devices():
    known = {"null", "zero", "full", "random", "urandom", "tty", "fd", "stdin", "stdout", "stderr", "ptmx", "shm", "pts"}
    more = set(os.listdir("/dev")) - known
    return f"has {more}" if more else None
@case
def new_device():
    return attempt(lambda: os.mknod("/dev/shm/mem", stat.S_IFCHR | 0o666, os.makedev(1, 1)) or "made") or attempt(
        lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0)) or "made")
@case
def root_is_not_the_hosts():
    """The folders of the shadow are served, also at its top."""
    return attempt(lambda: os.open("/permtui-inside", os.O_CREAT | os.O_WRONLY)) if os.getuid() == 0 else None
@case
def mounts_are_read_only():
    for line in open("/proc/self/mounts"):
        path, kind, options = line.split()[1:4]
        if path.split("/")[1] in ("usr", "etc", "bin", "sbin", "lib", "lib64", "opt") and "ro" not in options.split(","):
            return f"{path} is writable"


# ---- Limits

@case
def limits_above_the_hard_one():
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    try: resource.setrlimit(resource.RLIMIT_CORE, (hard + 1, hard + 1))
    except (OSError, ValueError): return None
    return "raised"
@case
def limits_of_the_first_process():
    """Its limits are its own: whatever they become, it goes on to collect what has ended."""
    try: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))
    except OSError: pass
    child = os.fork()
    if child == 0:
        os.fork()
        os._exit(0)
    os.waitpid(child, 0)
    return attempt(lambda: read("secret/file"))
@case
def size_of_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    file = os.open("open/large", os.O_CREAT | os.O_WRONLY)
    try: os.write(file, b"x" * 20)
    except OSError: pass
    return None if os.path.getsize("open/large") <= 10 else "exceeded"
@case
def flood_of_names():
    for number in range(20000): os.path.exists(f"open/none{number}")
    for number in range(2000): os.close(os.open(f"open/name{number}", os.O_CREAT | os.O_WRONLY))
    return attempt(lambda: read("secret/file")) or (None if read("open/file") == b"OPEN" else "lost")
@case
def flood_of_descriptors():
    files = []
    try:
        while len(files) < 100000: files.append(os.open("open/file", os.O_RDONLY))
    except OSError: pass
    for file in files: os.close(file)
    return attempt(lambda: read("secret/file")) or (None if read("open/file") == b"OPEN" else "lost")
@case
def flood_of_threads_that_are_denied():
    children = []
    for _ in range(100):
        child = os.fork()
        if child == 0:
            os._exit(1 if any(attempt(lambda: read("secret/file")) for _ in range(20)) else 0)
        children.append(child)
    return "read" if any(os.waitpid(child, 0)[1] for child in children) else None
@case
def path_without_end():
    """Folders so deep that no path names them."""
    start = os.open(".", os.O_PATH)
    os.chdir("open")
    try:
        for _ in range(60):
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
    except OSError: pass
    attempt(lambda: os.close(os.open("new", os.O_CREAT | os.O_WRONLY)))
    os.fchdir(start)
    return attempt(lambda: read("secret/file")) or (None if read("open/file") == b"OPEN" else "lost")
@case
def size_without_end():
    file = os.open("open/large", os.O_CREAT | os.O_RDWR)
    attempt(lambda: os.pwrite(file, b"x", (1 << 63) - 2))
    attempt(lambda: os.truncate("open/large", (1 << 63) - 1))
    os.truncate("open/large", 0)
    return None if read("open/file") == b"OPEN" else "lost"


# ---- Signals

@case
def signals_to_the_first_process():
    # It passes some of them on to the program itself.
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH):
        signal.signal(number, signal.SIG_IGN)
    for number in range(1, 65):
        attempt(lambda: os.kill(1, number))
    descriptor = call("pidfd_open", 1, 0)
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGRTMIN):
        call(424, descriptor, number, 0, 0)
    return attempt(lambda: read("secret/file"))
@case
def signals_to_processes_outside():
    """Processes outside have no number here."""
    return attempt(lambda: os.kill(4194303, 0) or "reached")
@case
def owner_of_a_descriptor():
    return attempt(lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, 4194303) or "set")
@case
def interrupted_lock():
    """A wait for a lock that a signal ends leaves no lock behind."""
    holder = os.open("open/file", os.O_RDWR)
    fcntl.flock(holder, fcntl.LOCK_EX)
    def stop(*_): raise InterruptedError
    signal.signal(signal.SIGALRM, stop)
    other = os.open("open/file", os.O_RDWR)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try: fcntl.flock(other, fcntl.LOCK_EX)
    except InterruptedError: pass
    else: return "locked twice"
    fcntl.flock(holder, fcntl.LOCK_UN)
    fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return None
@case
def stopped_while_it_holds_a_file():
    """A process that is stopped with a file open keeps nobody else from it."""
    child = subprocess.Popen(["sh", "-c", "exec 3<open/file; kill -STOP $$"])
    os.waitpid(child.pid, os.WUNTRACED)
    found = read("open/file")
    child.kill()
    return None if found == b"OPEN" else "lost"
@case
def killed_while_it_writes():
    child = subprocess.Popen(["sh", "-c", "while :; do echo x >> open/log; done"])
    while not os.path.exists("open/log") or not os.path.getsize("open/log"): time.sleep(0.005)
    child.kill()
    child.wait()
    return None if read("open/file") == b"OPEN" and os.path.getsize("open/log") else "lost"


# ---- Processes and filters

@case
def child_by_vfork():
    out = subprocess.run(["cat", "secret/file"], capture_output=True).stdout
    return f"read {out}" if out else None
@case
def process_without_a_parent():
    """A process that the first one has adopted has the same walls."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() != 0: os._exit(0)
        time.sleep(0.05)
        with open("open/found", "w") as file: file.write(str(attempt(lambda: read("secret/file"))))
        os.rename("open/found", "open/done")
        os._exit(0)
    while not os.path.exists("open/done"): time.sleep(0.005)
    with open("open/done") as file: return None if file.read() == "None" else "read"


def filter_program(*instructions):
    steps = b"".join(struct.pack("HBBI", *instruction) for instruction in instructions)
    buffer = ctypes.create_string_buffer(steps)
    return buffer, ctypes.create_string_buffer(struct.pack("H6xQ", len(instructions), ctypes.addressof(buffer)))


@case
def filter_that_allows_all():
    """A further filter can only take away."""
    for flags in (0, 1):
        steps, program = filter_program((6, 0, 0, 0x7FFF0000))
        call(317 if X86 else 277, 1, flags, program)
    return refused(call("unshare", 0x10000000), errno.EPERM) or attempt(lambda: read("secret/file"))
@case
def filter_with_a_listener():
    """A program that answers its own system calls answers no others."""
    steps, program = filter_program((6, 0, 0, 0x7FFF0000))
    call(317 if X86 else 277, 1, 8, program)
    return refused(call("mount", text("secret"), text("open"), text("none"), 4096, 0), errno.EPERM)
@case
def traced_child():
    """A program may watch its children, which have the same walls."""
    child = os.fork()
    if child == 0:
        call("ptrace", 0, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(3 if attempt(lambda: read("secret/file")) else 0)
    os.waitpid(child, os.WUNTRACED)
    call("ptrace", 7, child, 0, 0)
    status = os.waitpid(child, 0)[1]
    return "read" if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 3 else None
@case
def dumpable():
    """A crash leaves no core file, and starts nobody outside."""
    child = subprocess.Popen(["sh", "-c", "kill -SEGV $$"], cwd="open")
    child.wait()
    cores = [name for name in os.listdir("open") if name.startswith("core")]
    return f"left {cores}" if cores and os.path.getsize(f"open/{cores[0]}") > 1 else None
@case
def personality_of_old():
    """An old personality maps the first page and lets data run; it does not change what may be opened."""
    call(135 if X86 else 92, 0x0400000)
    return attempt(lambda: read("secret/file"))
