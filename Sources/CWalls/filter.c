#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "walls.h"

struct call {
  const char *name;
  int numbers[2];
  char kind;
};

static const struct call calls[] = {
#define ALLOWED(name, x86_64, arm64) {#name, {x86_64, arm64}, 'A'},
#define REFUSED(name, x86_64, arm64) {#name, {x86_64, arm64}, 'R'},
#define CHECKED(name, x86_64, arm64) {#name, {x86_64, arm64}, 'C'},
#define NOTIFIED(name, x86_64, arm64) {#name, {x86_64, arm64}, 'N'},
#include "calls.def"
#undef ALLOWED
#undef REFUSED
#undef CHECKED
#undef NOTIFIED
};
enum { calls_count = sizeof calls / sizeof *calls };

struct walls_call walls_call_at(enum walls_machine machine, size_t position) {
  if (position >= calls_count) return (struct walls_call){NULL, -1, 0};
  return (struct walls_call){calls[position].name, calls[position].numbers[machine], calls[position].kind};
}

// ---- Writing instructions

struct writer {
  struct walls_instruction *to;
  enum walls_machine machine;
  int count;
};

static void put(struct writer *w, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
  w->to[w->count++] = (struct walls_instruction){code, if_true, if_false, value};
}
static void load(struct writer *w, uint32_t offset) { put(w, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
// Loads the low half of an argument, which is all that the kernel reads of an `int`. Both machines are little-endian.
static void load_argument(struct writer *w, int index) { load(w, offsetof(struct seccomp_data, args) + 8 * index); }
static void answer(struct writer *w, uint32_t verdict) { put(w, BPF_RET | BPF_K, verdict, 0, 0); }
static void refuse(struct writer *w, int error) { answer(w, SECCOMP_RET_ERRNO | error); }
static void allow(struct writer *w) { answer(w, SECCOMP_RET_ALLOW); }
// The next instruction runs only if the loaded value is the given one.
static void if_equal(struct writer *w, uint32_t value) { put(w, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1); }
static void if_any_bit(struct writer *w, uint32_t bits) { put(w, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1); }
static void keep_bits(struct writer *w, uint32_t bits) { put(w, BPF_ALU | BPF_AND | BPF_K, bits, 0, 0); }

// ---- The conditions of the calls that are checked. Each ends with a verdict on every path.

static void check_clone(struct writer *w) {
  load_argument(w, 0);
  if_any_bit(w, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP);
  refuse(w, EPERM);
  allow(w);
}

// Both put characters into a terminal's input, or change the console.
static void check_ioctl(struct writer *w) {
  load_argument(w, 1);
  if_equal(w, TIOCSTI);
  refuse(w, EPERM);
  if_equal(w, TIOCLINUX);
  refuse(w, EPERM);
  allow(w);
}

static void check_protocol(struct writer *w, uint32_t protocol) {
  load_argument(w, 2);
  if_equal(w, 0);
  allow(w);
  if_equal(w, protocol);
  allow(w);
  refuse(w, EPROTONOSUPPORT);
}

// Streams and packets only. A datagram socket of the Unix family sends to any other by name, without `connect`; a raw one is
// a datagram socket under another name.
static void check_local(struct writer *w) {
  load_argument(w, 1);
  keep_bits(w, 15);
  if_equal(w, SOCK_STREAM);
  allow(w);
  if_equal(w, SOCK_SEQPACKET);
  allow(w);
  refuse(w, EPROTONOSUPPORT);
}
enum { local_length = 7, protocol_length = 6 };

// TCP and UDP, sockets of the Unix family, and the questions about the own network.
static void check_socket(struct writer *w) {
  load_argument(w, 0);
  if_equal(w, AF_UNIX);
  put(w, BPF_JMP | BPF_JA, 7, 0, 0);
  if_equal(w, AF_NETLINK);
  put(w, BPF_JMP | BPF_JA, 5 + local_length, 0, 0);
  if_equal(w, AF_INET);
  put(w, BPF_JMP | BPF_JA, 3 + local_length + protocol_length, 0, 0);
  if_equal(w, AF_INET6);
  put(w, BPF_JMP | BPF_JA, 1 + local_length + protocol_length, 0, 0);
  refuse(w, EAFNOSUPPORT);
  check_local(w);
  check_protocol(w, NETLINK_ROUTE);
  load_argument(w, 1);
  keep_bits(w, 15);
  if_equal(w, SOCK_STREAM);
  put(w, BPF_JMP | BPF_JA, 3, 0, 0);
  if_equal(w, SOCK_DGRAM);
  put(w, BPF_JMP | BPF_JA, 1 + protocol_length, 0, 0);
  refuse(w, EPROTONOSUPPORT);
  check_protocol(w, IPPROTO_TCP);
  check_protocol(w, IPPROTO_UDP);
}

static void check_socketpair(struct writer *w) { check_local(w); }

// TCP Fast Open connects without `connect`.
static void check_flags(struct writer *w, int index) {
  load_argument(w, index);
  if_any_bit(w, MSG_FASTOPEN);
  refuse(w, EOPNOTSUPP);
  allow(w);
}

static void check_sendto(struct writer *w) { check_flags(w, 3); }
static void check_sendmsg(struct writer *w) { check_flags(w, 2); }
static void check_sendmmsg(struct writer *w) { check_flags(w, 3); }

struct condition {
  const char *name;
  void (*write)(struct writer *);
};
static const struct condition conditions[] = {
    {"clone", check_clone},   {"ioctl", check_ioctl},     {"socket", check_socket},     {"socketpair", check_socketpair},
    {"sendto", check_sendto}, {"sendmsg", check_sendmsg}, {"sendmmsg", check_sendmmsg},
};

static int same(const char *one, const char *other) {
  while (*one && *one == *other) one++, other++;
  return *one == *other;
}

static void check(struct writer *w, const struct call *call) {
  int jump = w->count;
  put(w, BPF_JMP | BPF_JEQ | BPF_K, call->numbers[w->machine], 0, 0);
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (same(conditions[i].name, call->name)) conditions[i].write(w);
  w->to[jump].if_false = (uint8_t)(w->count - jump - 1);
}

static void write_call(struct writer *w, const struct call *call) {
  if (call->numbers[w->machine] < 0) return;
  if (call->kind == 'C') {
    check(w, call);
    return;
  }
  if_equal(w, call->numbers[w->machine]);
  if (call->kind == 'A') allow(w);
  else if (call->kind == 'N') answer(w, SECCOMP_RET_USER_NOTIF);
  else refuse(w, EPERM);
}

int walls_filter(enum walls_machine machine, struct walls_instruction *to) {
  struct writer w = {to, machine, 0};
  load(&w, offsetof(struct seccomp_data, arch));
  // A call of another machine, such as a 32-bit one, has other numbers.
  put(&w, BPF_JMP | BPF_JEQ | BPF_K, machine == walls_x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64, 1, 0);
  refuse(&w, ENOSYS);
  load(&w, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < calls_count; i++) write_call(&w, &calls[i]);
  refuse(&w, ENOSYS);  // also the numbers of the x32 calls
  return w.count;
}

// The numbers of the table are those of the headers of the machine that compiles this.
#if defined __x86_64__
#define OWN(x86_64, arm64) x86_64
#elif defined __aarch64__
#define OWN(x86_64, arm64) arm64
#else
#error "The walls exist for x86-64 and arm64 only."
#endif
_Static_assert(OWN(1, 64) == __NR_write && OWN(56, 220) == __NR_clone && OWN(16, 29) == __NR_ioctl, "calls.def");
_Static_assert(OWN(41, 198) == __NR_socket && OWN(257, 56) == __NR_openat && OWN(272, 97) == __NR_unshare, "calls.def");
_Static_assert(sizeof(struct walls_instruction) == sizeof(struct sock_filter), "one layout");
