"""Attacks with names: races, links, renames, exchanges and descriptors."""
import ctypes
import fcntl
import mmap
import os
import subprocess
import threading
import time

from attacking import AT_FDCWD, attempt, call, case, read, refused, text


def contents(path):
    """What a file holds that may be read."""
    with open(path) as file: return file.read()


def is_there(path): return "made" if os.path.lexists(path) else None


def while_swapping(swap, body, seconds=1.0):
    """Calls one function again and again while a thread calls another one. Returns the first result that is not None."""
    end = time.monotonic() + seconds
    def work():
        while time.monotonic() < end:
            try: swap()
            except OSError: pass
    thread = threading.Thread(target=work)
    thread.start()
    found = None
    while time.monotonic() < end and not found:
        try: found = body()
        except OSError: pass
    thread.join()
    return found


def link_followed(one, other): return call("linkat", AT_FDCWD, text(one), AT_FDCWD, text(other), 0x400)


def exchange(one, other): return call("renameat2", AT_FDCWD, text(one), AT_FDCWD, text(other), 2)


def folder_and_link(target):
    """Makes a folder with a file, and a link beside it, and returns a function that exchanges the two."""
    os.mkdir("open/folder")
    with open("open/folder/file", "w") as file: file.write("OPEN")
    os.symlink(target, "open/other")
    return lambda: exchange("open/folder", "open/other")


def file_and_link(target):
    """Makes a file and a link beside it, and returns a function that exchanges the two."""
    with open("open/mine", "w") as file: file.write("OPEN")
    os.symlink(target, "open/other")
    return lambda: exchange("open/mine", "open/other")


# ---- Races. What was denied is looked at outside afterwards, too.

@case
def race_of_creation():
    swap = folder_and_link("../secret")
    def body():
        os.close(os.open("open/folder/new", os.O_CREAT | os.O_WRONLY))
        os.unlink("open/folder/new")
    return while_swapping(swap, body) or is_there("secret/new")
@case
def race_of_new_folders():
    def body():
        os.mkdir("open/folder/new")
        os.rmdir("open/folder/new")
    return while_swapping(folder_and_link("../look"), body) or is_there("look/new")
@case
def race_of_truncation():
    return while_swapping(file_and_link("../look/file"), lambda: os.truncate("open/mine", 0)) or (
        None if contents("look/file") == "LOOK" else "truncated")
@case
def race_of_writing():
    def body():
        with open("open/mine", "w") as file: file.write("WRITTEN")
    return while_swapping(file_and_link("../look/file"), body) or (None if contents("look/file") == "LOOK" else "written")
@case
def race_of_modes():
    return while_swapping(file_and_link("../look/file"), lambda: os.chmod("open/mine", 0o777)) or (
        None if os.stat("look/file").st_mode & 0o777 == 0o600 else "changed")
@case
def race_of_removal():
    def body():
        os.unlink("open/folder/file")
        with open("open/folder/file", "w") as file: file.write("OPEN")
    return while_swapping(folder_and_link("../look"), body) or (None if contents("look/file") == "LOOK" else "removed")
@case
def race_of_renames():
    def body():
        with open("open/mine", "w") as file: file.write("WRITTEN")
        os.rename("open/mine", "open/folder/file")
    return while_swapping(folder_and_link("../look"), body) or (None if contents("look/file") == "LOOK" else "replaced")
@case
def race_of_hard_links():
    def body():
        if link_followed("open/mine", "open/linked") < 0: return None
        found = attempt(lambda: read("open/linked"))
        os.unlink("open/linked")
        return found
    return while_swapping(file_and_link("../secret/file"), body)
@case
def race_of_execution():
    with open("open/script", "w") as file: file.write("#!/bin/sh\necho harmless\n")
    os.chmod("open/script", 0o755)
    os.symlink("../secret/script", "open/other")
    def body():
        out = subprocess.run(["open/script"], stdout=subprocess.PIPE).stdout
        return f"ran {out}" if b"SECRET" in out else None
    return while_swapping(lambda: exchange("open/script", "open/other"), body)
@case
def race_of_listing():
    def body():
        names = os.listdir("open/folder")
        return "listed" if "script" in names else None
    return while_swapping(folder_and_link("../secret"), body)
@case
def race_of_descriptors():
    """One thread puts another descriptor under the number that the other opens again."""
    own, secret = os.open("open/file", os.O_PATH), os.open("secret/file", os.O_PATH)
    number = os.dup(own)
    def swap():
        os.dup2(secret, number)
        os.dup2(own, number)
    return while_swapping(swap, lambda: attempt(lambda: read(f"/proc/self/fd/{number}")))
@case
def race_of_working_folders():
    def swap():
        os.chdir("secret")
        os.chdir("../open")
        os.chdir("..")
    def body():
        found = attempt(lambda: read("file"))
        return found if found and "SECRET" in found else None
    return while_swapping(swap, body)
@case
def answers_are_not_mixed():
    """Many threads open files of their own and the secret at once; each gets its own answer."""
    wrong = []
    def work(number):
        name = f"open/own{number}"
        with open(name, "w") as file: file.write(f"OWN{number}")
        for _ in range(100):
            if read(name) != f"OWN{number}".encode(): wrong.append(name)
            if attempt(lambda: read("secret/file")): wrong.append("secret")
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return f"got {wrong[:3]}" if wrong else None


# ---- Symbolic links

@case
def absolute_link():
    os.symlink(os.path.abspath("secret/file"), "open/link")
    return attempt(lambda: read("open/link"))
@case
def chain_of_links():
    os.symlink("../secret/file", "open/link0")
    for number in range(20): os.symlink(f"link{number}", f"open/link{number + 1}")
    return attempt(lambda: read("open/link20"))
@case
def endless_link():
    os.symlink("self", "open/self")
    return attempt(lambda: read("open/self")) or attempt(lambda: read("secret/file"))
@case
def link_to_descriptor():
    file = os.open("secret/file", os.O_PATH)
    os.symlink(f"/proc/self/fd/{file}", "open/link")
    return attempt(lambda: read("open/link"))
@case
def link_to_the_root_of_a_process():
    os.symlink(f"/proc/self/root{os.getcwd()}/secret/file", "open/link")
    return attempt(lambda: read("open/link"))
@case
def link_with_slash():
    os.symlink("../secret", "open/link")
    return attempt(lambda: os.listdir("open/link/"))
@case
def link_as_program():
    os.symlink("../secret/script", "open/link")
    return attempt(lambda: subprocess.run(["open/link"], stdout=subprocess.PIPE).stdout)
@case
def link_as_interpreter():
    with open("open/script", "w") as file: file.write(f"#!{os.path.abspath('secret/script')}\n")
    os.chmod("open/script", 0o755)
    return attempt(lambda: subprocess.run(["open/script"], stdout=subprocess.PIPE).stdout)
@case
def creation_through_link():
    os.symlink("../secret/new", "open/link")
    return attempt(lambda: os.open("open/link", os.O_CREAT | os.O_WRONLY))
@case
def dots_without_end():
    return attempt(lambda: read("open/../" * 400 + "secret/file"))


# ---- Hard links

@case
def hard_link_of_what_may_be_read(): return attempt(lambda: os.link("look/file", "open/linked") or "linked")
@case
def hard_link_into_what_may_be_read(): return attempt(lambda: os.link("open/file", "look/linked") or "linked")
@case
def hard_link_of_a_link():
    os.symlink("../secret/file", "open/link")
    return refused(link_followed("open/link", "open/linked"))
@case
def hard_link_of_a_folder(): return attempt(lambda: os.link("open", "open/linked") or "linked")
@case
def hard_link_of_an_open_file():
    file = os.open("look/file", os.O_RDONLY)
    return refused(call("linkat", AT_FDCWD, text(f"/proc/self/fd/{file}"), AT_FDCWD, text("open/linked"), 0x400))


# ---- Renames and exchanges

@case
def rename_of_what_may_be_read(): return attempt(lambda: os.rename("look/file", "open/moved") or "moved")
@case
def rename_of_its_folder(): return attempt(lambda: os.rename("look", "open/look") or "moved")
@case
def rename_of_a_folder_into_it():
    os.mkdir("open/folder")
    return attempt(lambda: os.rename("open/folder", "look/folder") or "moved")
@case
def rename_without_replacing():
    return refused(call("renameat2", AT_FDCWD, text("open/file"), AT_FDCWD, text("secret/new"), 1))
@case
def rename_of_everything(): return attempt(lambda: os.rename("open", "secret/open") or "moved")
@case
def exchange_with_what_may_be_read(): return refused(exchange("open/file", "look/file"))
@case
def exchange_with_a_link():
    os.symlink("x", "open/link")
    return refused(exchange("open/link", "secret/file")) or refused(exchange("secret/file", "open/link"))
@case
def exchange_of_a_file_and_a_folder(): return refused(exchange("open/file", "secret")) or refused(exchange("look", "open/file"))
@case
def exchange_of_upper_folders(): return refused(exchange("open", "secret")) or refused(exchange("../work/open", "../work/look"))


# ---- Descriptors

@case
def descriptor_of_a_moved_folder():
    os.makedirs("open/a/b")
    folder = os.open("open/a/b", os.O_PATH)
    os.rename("open/a/b", "open/b")
    return attempt(lambda: read("../../secret/file", folder)) or attempt(lambda: read("../../../secret/file", folder))
@case
def descriptor_of_a_removed_folder():
    os.mkdir("open/gone")
    folder = os.open("open/gone", os.O_PATH)
    os.rmdir("open/gone")
    return attempt(lambda: read("../../secret/file", folder)) or attempt(lambda: os.open("new", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
@case
def working_folder_by_descriptor():
    os.fchdir(os.open("secret", os.O_PATH))
    return attempt(lambda: read("file")) or attempt(lambda: os.listdir("."))
@case
def working_folder_of_a_child():
    child = subprocess.Popen(["sleep", "9"], cwd="secret")
    found = attempt(lambda: read(f"/proc/{child.pid}/cwd/file")) or attempt(lambda: os.listdir(f"/proc/{child.pid}/cwd"))
    child.kill()
    return found
@case
def descriptor_of_a_child():
    file = os.open("secret/file", os.O_PATH)
    child = subprocess.Popen(["sleep", "9"], pass_fds=[file])
    found = attempt(lambda: read(f"/proc/{child.pid}/fd/{file}"))
    child.kill()
    return found
@case
def descriptor_for_reading_opened_for_writing():
    file = os.open("look/file", os.O_PATH)
    return attempt(lambda: os.open(f"/proc/self/fd/{file}", os.O_WRONLY)) or attempt(lambda: os.open(f"/proc/thread-self/fd/{file}", os.O_RDWR | os.O_TRUNC))
@case
def mapping_made_writable():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, os.open("look/file", os.O_RDONLY), ctypes.c_long(0))
    return "writable" if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(4096), 3) == 0 else None
@case
def copies_into_a_descriptor_for_reading():
    source, target = os.open("open/file", os.O_RDONLY), os.open("look/file", os.O_RDONLY)
    return attempt(lambda: os.copy_file_range(source, target, 4)) or attempt(lambda: os.sendfile(target, source, 0, 4))
@case
def splice_into_a_descriptor_for_reading():
    out, into = os.pipe()
    os.write(into, b"HOLE")
    return attempt(lambda: os.splice(out, os.open("look/file", os.O_RDONLY), 4))
@case
def flags_of_a_file():
    file = os.open("look/file", os.O_RDONLY)
    return attempt(lambda: fcntl.ioctl(file, 0x40086602, b"\x10\0\0\0\0\0\0\0") and "set")
@case
def lock_for_writing_of_what_may_be_read():
    file = os.open("look/file", os.O_RDONLY)
    return attempt(lambda: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB) or "locked")
@case
def nameless_file_in_what_may_be_read(): return attempt(lambda: os.open("look", os.O_TMPFILE | os.O_RDWR))
@case
def file_in_memory():
    """A program without a file has the same walls."""
    file = os.memfd_create("x")
    os.write(file, b"#!/bin/sh\ncat secret/file\n")
    out = subprocess.run([f"/proc/self/fd/{file}"], pass_fds=[file], capture_output=True).stdout
    return f"read {out}" if out else None
@case
def copy_of_a_mapping():
    with open("open/file", "r+b") as file: own = mmap.mmap(file.fileno(), 4)
    return attempt(lambda: mmap.mmap(os.open("secret/file", os.O_RDONLY), 4)) or (None if own[:] == b"OPEN" else "changed")
