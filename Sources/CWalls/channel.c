#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include "internal.h"
#include "walls.h"

// Room for one descriptor.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

int walls_send(int channel, const struct walls_report *report) {
  union control control;
  memset(&control, 0, sizeof control);
  struct iovec part = {(void *)report, sizeof *report};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &report->descriptor, sizeof(int));
  return sendmsg(channel, &message, 0) < 0 ? -1 : 0;
}

int walls_receive(int channel, struct walls_report *report) {
  union control control;
  struct iovec part = {report, sizeof *report};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count;
  do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count != sizeof *report) return 0;
  report->descriptor = -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&report->descriptor, CMSG_DATA(header), sizeof(int));
  return 1;
}
