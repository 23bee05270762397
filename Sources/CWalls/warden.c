// Calls of the warden that Swift's Glibc module leaves out.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "walls.h"

void walls_close_to_others(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void walls_open_to_others(void) { prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

int walls_error(void) { return errno; }

int walls_open(int folder, const char *path, int flags, mode_t mode) { return openat(folder, path, flags | O_CLOEXEC, mode); }

int walls_open_node(int folder, const char *name) { return openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC); }

int walls_reopen(int node, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", node);
  // O_NONBLOCK: a lease of another process must not stop the warden, which serves everything else.
  return open(path, flags | O_NONBLOCK | O_CLOEXEC);
}

int walls_open_node_of(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return open(path, O_PATH | O_CLOEXEC);
}

int walls_allocate(int descriptor, int mode, off_t offset, off_t length) { return fallocate(descriptor, mode, offset, length); }

int walls_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

int walls_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

int walls_next_entry(void *folder, struct walls_entry *entry) {
  struct dirent *next = readdir(folder);
  if (!next) return 0;
  *entry = (struct walls_entry){next->d_name, next->d_ino, next->d_off, (mode_t)next->d_type << 12};
  return 1;
}

int walls_wait(int first, int second, int third, int milliseconds) {
  struct pollfd sources[] = {{first, POLLIN, 0}, {second, POLLIN, 0}, {third, POLLIN, 0}};
  int ready = 0;
  if (poll(sources, 3, milliseconds) <= 0) return 0;
  for (int i = 0; i < 3; i++) ready |= sources[i].revents ? 1 << i : 0;
  return ready;
}

int walls_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int walls_blocking_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int walls_channel(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

int walls_open_null(int descriptor) {
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || null == descriptor) return null;
  dup2(null, descriptor);
  close(null);
  return descriptor;
}

int walls_close_on_exec(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

int walls_await(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return 125;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

uint64_t walls_ignored_signals(void) {
  uint64_t ignored = 0;
  struct sigaction action;
  for (int number = 1; number < 65; number++)
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) ignored |= UINT64_C(1) << (number - 1);
  return ignored;
}

static int lease_pipe = -1;

static void tell_of_lease(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  int saved = errno, descriptor = info->si_fd;
  (void)!write(lease_pipe, &descriptor, sizeof descriptor);
  errno = saved;
}

int walls_watch_leases(int pipe) {
  lease_pipe = pipe;
  struct sigaction action = {.sa_sigaction = tell_of_lease, .sa_flags = SA_SIGINFO | SA_RESTART};
  return sigaction(SIGRTMIN, &action, NULL);
}

int walls_lease(int descriptor, int take) {
  if (!take) return fcntl(descriptor, F_SETLEASE, F_UNLCK);
  if (fcntl(descriptor, F_SETSIG, SIGRTMIN) < 0) return -1;
  return fcntl(descriptor, F_SETLEASE, F_WRLCK);
}

ssize_t walls_append(int descriptor, const void *bytes, size_t count) {
  struct iovec part = {(void *)bytes, count};
  return pwritev2(descriptor, &part, 1, 0, RWF_APPEND);
}

static struct flock range(int type, off_t start, off_t length) {
  return (struct flock){.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
}

int walls_lock_range(int descriptor, int type, off_t start, off_t length) {
  struct flock lock = range(type, start, length);
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int walls_conflicting_lock(int descriptor, int type, off_t start, off_t length, off_t *found_start, off_t *found_length) {
  struct flock lock = range(type, start, length);
  if (fcntl(descriptor, F_OFD_GETLK, &lock) < 0) return -1;
  *found_start = lock.l_start;
  *found_length = lock.l_len;
  return lock.l_type;
}

int walls_rename(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  return renameat2(from_folder, from, to_folder, to, flags);
}

int walls_leads_out(int folder, const char *path) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  int found = -1;
  // The kernel gives up if something is moved meanwhile.
  for (int tries = 0; tries < 10 && found < 0; tries++) {
    found = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (found < 0 && errno != EAGAIN) break;
  }
  if (found >= 0) close(found);
  return found < 0;
}

int walls_copy(int from, int to, off_t size) {
  // Some file systems share the contents until one of the files is changed.
  if (ioctl(to, FICLONE, from) == 0) return 0;
  while (size > 0) {
    ssize_t count = copy_file_range(from, NULL, to, NULL, (size_t)size, 0);
    if (count < 0 && errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
    if (count <= 0) break;
    size -= count;
  }
  char bytes[1 << 16];
  while (size > 0) {
    ssize_t count = read(from, bytes, sizeof bytes);
    if (count < 0) return -1;
    if (count == 0) return 0;
    for (ssize_t done = 0, written; done < count; done += written)
      if ((written = write(to, bytes + done, (size_t)(count - done))) < 0) return -1;
    size -= count;
  }
  return 0;
}

int walls_link(int descriptor, int folder, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}
