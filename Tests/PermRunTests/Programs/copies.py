"""Changes a folder at random, and prints what came of each change and what the folder looks like in the end. In a private copy of
a folder, all of it must be as in the folder itself."""
import errno, os, random, sys

root, seed = sys.argv[1], int(sys.argv[2])
os.chdir(root)
chance = random.Random(seed)
FOLDERS = ["", "o0/", "o0/o1/", "n0/", "n1/", "o0/n2/"]
NAMES = ["a", "b", "c", "link", "new", "other"]
NEW = ["n0", "n1", "o0/n2", "o0/n3"]  # folders that are moved: those that were there before are not
opened = []


def name():
    return chance.choice(FOLDERS) + chance.choice(NAMES)


def put(mode):
    with open(name(), mode) as file:
        file.write(f"{chance.random()}\n")


def keep():
    opened.append(os.open(name(), chance.choice([os.O_RDONLY, os.O_RDWR, os.O_RDWR | os.O_CREAT])))


def use():
    if not opened: return None
    handle = chance.choice(opened)
    part = os.pread(handle, 100, 0)
    if chance.random() < 0.5:
        try: os.pwrite(handle, b"through a handle", 3)
        except OSError as error: return part, errno.errorcode[error.errno]
    return part


def show(path):
    status = os.lstat(path)
    if os.path.islink(path): return os.readlink(path)
    return status.st_mode, status.st_size if not os.path.isdir(path) else 0, status.st_nlink if os.path.isfile(path) else 0


CHANGES = [
    lambda: put("w"), lambda: put("a"), lambda: put("x"), lambda: put("r+"), lambda: open(name()).read(),
    lambda: os.unlink(name()), lambda: os.mkdir(chance.choice(NEW + ["o0", "o0/o1", "a"])),
    lambda: os.rmdir(chance.choice(NEW + ["o0", "o0/o1", "a"])), lambda: os.rename(name(), name()),
    lambda: os.rename(chance.choice(NEW), chance.choice(NEW)), lambda: os.link(name(), name(), follow_symlinks=False),
    lambda: os.symlink(chance.choice(NAMES), name()), lambda: os.truncate(name(), chance.randrange(40)),
    lambda: os.chmod(name(), 0o600 + chance.randrange(8)), lambda: os.utime(name(), (1, chance.randrange(1000))),
    lambda: sorted(os.listdir(chance.choice(FOLDERS) or ".")), lambda: show(name()), keep, use,
]

for number in range(400):
    kind = chance.randrange(len(CHANGES))
    try: result = CHANGES[kind]()
    except OSError as error: result = errno.errorcode[error.errno]
    print(number, kind, result)
for handle in opened: os.close(handle)
for folder, folders, files in os.walk("."):
    folders.sort()
    print(folder, sorted(files))
    for file in sorted(files):
        path = os.path.join(folder, file)
        try: print(file, show(path), "" if os.path.islink(path) else open(path).read())
        except OSError as error: print(file, errno.errorcode[error.errno])
