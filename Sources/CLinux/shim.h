// Kernel interfaces that Swift's Glibc module leaves out. Everything here is stateless, because a system
// library target has no object file in which to keep state.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/sock_diag.h>
#include <linux/stat.h>
#include <linux/unix_diag.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

// The structure that SO_PEERCRED fills in. It has the layout of `struct ucred`, which <sys/socket.h> declares
// only if _GNU_SOURCE is defined.
struct peer_credentials {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

// Accepts the next connection of a listening socket. Returns a close-on-exec descriptor of the connection, or
// -1 with errno set. The C library declares `accept4` only if _GNU_SOURCE is defined.
static inline int accept_closed_on_exec(int listener) {
  return (int)syscall(SYS_accept4, listener, NULL, NULL, 02000000 /* SOCK_CLOEXEC */);
}

// Makes a program that is spawned start in a folder. Returns 0 or an error number. The C library declares the
// function that it calls only if _GNU_SOURCE is defined.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
static inline int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

// Returns a descriptor that refers to a process, or -1 with errno set. The C library has offered this function
// only since version 2.36.
static inline int pidfd_of_process(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// Finds the inode number and the time of creation of the file at a path. An empty path stands for the file to
// which the descriptor `folder` refers. Symbolic links are followed. The time is in nanoseconds since 1970, or 0
// if the file system does not record it. Returns 0, or -1 with errno set. The C library declares `statx` only if
// _GNU_SOURCE is defined.
static inline int identity_of_file(int folder, const char *path, unsigned long long *inode, long long *birth) {
  struct statx found;
  long result = syscall(SYS_statx, folder, path, path[0] ? 0 : 0x1000 /* AT_EMPTY_PATH */, STATX_INO | STATX_BTIME, &found);
  if (result != 0) return -1;
  *inode = found.stx_ino;
  // A file system can name a moment that has no number of nanoseconds, such as one after 2262.
  const long long last = 9223372035, seconds = found.stx_btime.tv_sec;
  const long long clamped = seconds > last ? last : seconds < -last ? -last : seconds;
  *birth = found.stx_mask & STATX_BTIME ? clamped * 1000000000LL + found.stx_btime.tv_nsec : 0;
  return 0;
}

// Finds the device and the inode number of the file at a path, and the number of the mount through which it is seen.
// Symbolic links are followed. Returns 0, or -1 if there is no such file or if the kernel does not report the mount
// (before Linux 5.8).
static inline int mount_of_file(int folder, const char *path, unsigned long long *device, unsigned long long *inode,
                                unsigned long long *mount) {
  struct statx found;
  if (syscall(SYS_statx, folder, path, 0, STATX_INO | STATX_MNT_ID, &found) != 0) return -1;
  if (!(found.stx_mask & STATX_MNT_ID)) return -1;
  *device = ((unsigned long long)found.stx_dev_major << 32) | found.stx_dev_minor;
  *inode = found.stx_ino;
  *mount = found.stx_mnt_id;
  return 0;
}

// Returns the descriptor of a timer, which can be read once the set time has passed, or -1 with errno set. Time during
// which the machine is suspended counts.
static inline int timer_of_boot_time(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

// Sets the time after which the timer can be read. A time of zero stops the timer.
static inline void set_timer(int timer, long seconds, long nanoseconds) {
  struct itimerspec setting = {{0, 0}, {seconds, nanoseconds}};
  timerfd_settime(timer, 0, &setting, NULL);
}

// Notes that the timer has expired, so that it cannot be read until it expires again.
static inline void acknowledge_timer(int timer) {
  unsigned long long count;
  (void)!read(timer, &count, sizeof count);
}

// Returns the environment of this process. Swift does not allow access to the variable `environ`, because it
// is mutable and shared by all threads.
extern char **environ;
static inline char **process_environment(void) { return environ; }

// The flag O_PATH, for a descriptor that refers to a file without opening it. <fcntl.h> declares it only if
// _GNU_SOURCE is defined.
static const int open_path_only = 010000000;

// Opens the file at a path, which the kernel resolves from `folder` by these rules: RESOLVE_... of
// <linux/openat2.h>. Returns a descriptor, or -1 with errno set. The C library has no function for this call.
static inline int open_by_rules(int folder, const unsigned char *path, int flags, unsigned long long rules) {
  struct open_how how = {.flags = (unsigned)flags, .resolve = rules};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// A message that asks the kernel about one Unix socket, in the form that NETLINK_SOCK_DIAG expects.
struct unix_socket_query {
  struct nlmsghdr header;
  struct unix_diag_req request;
};

#endif
