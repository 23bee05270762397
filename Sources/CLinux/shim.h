// Kernel interfaces that Swift's Glibc module leaves out. Everything here is stateless: a system library target has
// no object file to keep state in.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// What SO_PEERCRED fills in: `struct ucred`, which <sys/socket.h> shows only to GNU sources.
struct peer_credentials {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

// A descriptor that stands for one process, or -1 with errno. The C library has it only from 2.36 on.
static inline int pidfd_of_process(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// O_PATH, which <fcntl.h> shows only to GNU sources: a descriptor that names a file without opening it.
static const int open_path_only = 010000000;

// Asks the kernel about one Unix socket: the message that NETLINK_SOCK_DIAG wants.
struct unix_socket_query {
  struct nlmsghdr header;
  struct unix_diag_req request;
};

#endif
