// The calls about sockets that the warden makes for programs inside. A program's memory is read once, and a call is never let
// through after it was looked at, since another thread could have changed the memory by then.
#define _GNU_SOURCE
#include "network.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

// ---- Calls

static int call_of(int number) {
  switch (number) {
    case __NR_connect: return walls_call_connect;
    case __NR_bind: return walls_call_bind;
    default: return walls_call_listen;
  }
}

int walls_next_request(int calls, struct walls_request *request) {
  // A newer kernel may know of more than this header; what it adds must be zero.
  union { struct seccomp_notif notice; char room[512]; } received;
  memset(&received, 0, sizeof received);
  if (ioctl(calls, SECCOMP_IOCTL_NOTIF_RECV, &received.notice) < 0) return errno == ENOENT || errno == EINTR ? 0 : -1;
  const struct seccomp_data *data = &received.notice.data;
  *request = (struct walls_request){.id = received.notice.id, .thread = (pid_t)received.notice.pid};
  request->call = call_of(data->nr);
  request->descriptor = (int)data->args[0];
  request->address = data->args[1];
  request->number = (int32_t)data->args[request->call == walls_call_listen ? 1 : 2];
  return 1;
}

int walls_is_waiting(int calls, uint64_t id) { return ioctl(calls, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0; }

void walls_end_call(int calls, uint64_t id, int error) {
  struct seccomp_notif_resp end = {.id = id, .error = -error};
  ioctl(calls, SECCOMP_IOCTL_NOTIF_SEND, &end);
}

int walls_put_socket(int calls, uint64_t id, int socket, int descriptor, int closes_on_exec) {
  struct seccomp_notif_addfd put = {.id = id, .flags = SECCOMP_ADDFD_FLAG_SETFD, .srcfd = (uint32_t)socket};
  put.newfd = (uint32_t)descriptor;
  put.newfd_flags = closes_on_exec ? O_CLOEXEC : 0;
  return ioctl(calls, SECCOMP_IOCTL_NOTIF_ADDFD, &put);
}

// ---- The thread that waits

// Returns the value of a line of a file below /proc.
static long value_of(const char *path, const char *name, int base) {
  char text[4096];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count < 0 ? 0 : count] = 0;
  const char *line = strstr(text, name);
  return line ? strtol(line + strlen(name), NULL, base) : -1;
}

static long status_of(pid_t thread, const char *name, int base) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  return value_of(path, name, base);
}

// Kernels before 6.9 know processes only. The threads of one that share no descriptors then have those of the first.
static int open_thread(pid_t thread) {
  int opened = (int)syscall(SYS_pidfd_open, thread, O_EXCL);
  return opened >= 0 ? opened : (int)syscall(SYS_pidfd_open, (pid_t)status_of(thread, "\nTgid:", 10), 0);
}

int walls_take_descriptor(pid_t thread, int descriptor) {
  int opened = open_thread(thread);
  if (opened < 0) return -1;
  int taken = (int)syscall(SYS_pidfd_getfd, opened, descriptor, 0), reason = errno;
  close(opened);
  errno = reason;
  return taken;
}

int walls_copy_memory(pid_t thread, uint64_t from, void *to, size_t count) {
  struct iovec here = {to, count}, there = {(void *)from, count};
  return process_vm_readv(thread, &here, 1, &there, 1, 0) == (ssize_t)count ? 0 : -1;
}

int walls_closes_on_exec(pid_t thread, int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", thread, descriptor);
  long flags = value_of(path, "flags:", 8);
  return flags >= 0 && flags & O_CLOEXEC;
}

mode_t walls_mode_mask(pid_t thread) { return (mode_t)status_of(thread, "\nUmask:", 8) & 0777; }

// ---- Sockets

static int option(int socket, int name, void *value, socklen_t length) {
  return getsockopt(socket, SOL_SOCKET, name, value, &length);
}

int walls_describe_socket(int descriptor, struct walls_socket *socket) {
  struct stat status;
  if (option(descriptor, SO_DOMAIN, &socket->family, sizeof(int)) || option(descriptor, SO_TYPE, &socket->type, sizeof(int)))
    return -1;
  if (option(descriptor, SO_COOKIE, &socket->cookie, 8) || option(descriptor, SO_NETNS_COOKIE, &socket->network, 8)) return -1;
  if (fstat(descriptor, &status)) return -1;
  socket->inode = status.st_ino;
  socket->is_blocking = !(fcntl(descriptor, F_GETFL) & O_NONBLOCK);
  return 0;
}

void walls_copy_options(int from, int to) {
  static const int options[][2] = {{SOL_SOCKET, SO_KEEPALIVE}, {SOL_SOCKET, SO_LINGER}, {SOL_SOCKET, SO_OOBINLINE},
    {SOL_SOCKET, SO_RCVTIMEO}, {SOL_SOCKET, SO_SNDTIMEO}, {SOL_SOCKET, SO_RCVLOWAT}, {IPPROTO_TCP, TCP_NODELAY},
    {IPPROTO_TCP, TCP_KEEPIDLE}, {IPPROTO_TCP, TCP_KEEPINTVL}, {IPPROTO_TCP, TCP_KEEPCNT}, {IPPROTO_TCP, TCP_USER_TIMEOUT},
    {IPPROTO_TCP, TCP_SYNCNT}, {IPPROTO_TCP, TCP_QUICKACK}, {IPPROTO_IP, IP_TOS}, {IPPROTO_IPV6, IPV6_TCLASS}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char value[32];
    socklen_t length = sizeof value;
    if (getsockopt(from, options[i][0], options[i][1], value, &length) == 0)
      setsockopt(to, options[i][0], options[i][1], value, length);
  }
}

int walls_set_blocking(int socket, int is_blocking) {
  int flags = fcntl(socket, F_GETFL);
  return fcntl(socket, F_SETFL, is_blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

int walls_await_connection(int socket, int milliseconds) {
  struct pollfd source = {socket, POLLOUT, 0};
  int ready, reason = 0;
  do ready = poll(&source, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) return ETIMEDOUT;
  return option(socket, SO_ERROR, &reason, sizeof reason) ? errno : reason;
}

int walls_can_read(int first, int second, int milliseconds) {
  struct pollfd sources[] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  if (poll(sources, 2, milliseconds) <= 0) return 0;
  int is_gone = sources[0].revents & (POLLHUP | POLLERR | POLLNVAL);
  return (sources[0].revents & POLLIN ? 1 : 0) | (sources[1].revents ? 2 : 0) | (is_gone ? 4 : 0);
}

int walls_limit_waiting(int socket, int seconds) {
  struct timeval limit = {seconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

// ---- Sockets of the Unix family

static int open_without(int folder, const char *path, uint64_t flags) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC | (flags & RESOLVE_NO_SYMLINKS ? O_NOFOLLOW : 0), .resolve = flags};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int walls_open_inside(pid_t thread, const char *path) {
  char root[64];
  snprintf(root, sizeof root, "/proc/%d/root", thread);
  int folder = open(root, O_PATH | O_CLOEXEC);
  if (folder < 0) return -1;
  int found = open_without(folder, path, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS), reason = errno;
  close(folder);
  errno = reason;
  return found;
}

int walls_open_exactly(const char *path) { return open_without(AT_FDCWD, path, RESOLVE_NO_SYMLINKS); }

int walls_is_in_shadow(int entry) {
  struct statfs system;
  return fstatfs(entry, &system) == 0 && (unsigned)system.f_type == FUSE_SUPER_MAGIC;
}

int walls_connect_local(int socket, int entry) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  snprintf(place.sun_path, sizeof place.sun_path, "/proc/self/fd/%d", entry);
  return connect(socket, (struct sockaddr *)&place, sizeof place);
}

int walls_open_bound(int socket) {
  // SIOCUNIXFILE, whose header defines again what the C library has.
  int found = ioctl(socket, SIOCPROTOPRIVATE);
  if (found >= 0) fcntl(found, F_SETFD, FD_CLOEXEC);
  return found;
}

int walls_bind_local(int socket, int folder, const char *name, mode_t mask) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  // The mask is the program's. Like the folder, it becomes this thread's alone.
  if (unshare(CLONE_FS) || fchdir(folder)) return -1;
  umask(mask);
  memcpy(place.sun_path, name, strnlen(name, sizeof place.sun_path));
  return bind(socket, (struct sockaddr *)&place, sizeof place);
}
