// Kernel interfaces that Swift's Glibc module leaves out. Everything here is stateless: a system library target has
// no object file to keep state in.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/stat.h>
#include <linux/unix_diag.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// What SO_PEERCRED fills in: `struct ucred`, which <sys/socket.h> shows only to GNU sources.
struct peer_credentials {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

// The next connection of a listening socket, closed on exec from its first moment, or -1 with errno. The C library shows
// `accept4` only to GNU sources.
static inline int accept_closed_on_exec(int listener) {
  return (int)syscall(SYS_accept4, listener, NULL, NULL, 02000000 /* SOCK_CLOEXEC */);
}

// A descriptor that stands for one process, or -1 with errno. The C library has it only from 2.36 on.
static inline int pidfd_of_process(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// Which file stands at a path, links followed, or, for an empty path, behind a descriptor: its number, and when it was
// made, in nanoseconds since 1970; 0 where the file system keeps no such moment. Gives 0, or -1 with errno. The C
// library shows `statx` only to GNU sources.
static inline int identity_of_file(int folder, const char *path, unsigned long long *inode, long long *birth) {
  struct statx found;
  long result = syscall(SYS_statx, folder, path, path[0] ? 0 : 0x1000 /* AT_EMPTY_PATH */, STATX_INO | STATX_BTIME, &found);
  if (result != 0) return -1;
  *inode = found.stx_ino;
  *birth = found.stx_mask & STATX_BTIME ? found.stx_btime.tv_sec * 1000000000LL + found.stx_btime.tv_nsec : 0;
  return 0;
}

// The environment of this process, which Swift may not touch as a variable that anybody may change.
extern char **environ;
static inline char **process_environment(void) { return environ; }

// O_PATH, which <fcntl.h> shows only to GNU sources: a descriptor that names a file without opening it.
static const int open_path_only = 010000000;

// Asks the kernel about one Unix socket: the message that NETLINK_SOCK_DIAG wants.
struct unix_socket_query {
  struct nlmsghdr header;
  struct unix_diag_req request;
};

#endif
