// The warden's side of the terminal.
#define _GNU_SOURCE
#include "terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "internal.h"

struct termios walls_first_modes;
struct winsize walls_first_size;

// What the keeper must know of the warden, in memory of both.
static struct kept {
  int has_keys;
  struct termios before, taken;
} *kept;
static pid_t keeper;
static int is_of_session;

int walls_find_terminal(void) {
  // Opened again, so that a program that reads the same terminal does not notice how the warden reads.
  int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  is_of_session = terminal >= 0;
  for (int stream = 0; terminal < 0 && stream < 3; stream++)
    if (isatty(stream)) terminal = fcntl(stream, F_DUPFD_CLOEXEC, 3);
  if (terminal < 0) return -1;
  tcgetattr(terminal, &walls_first_modes);
  ioctl(terminal, TIOCGWINSZ, &walls_first_size);
  return terminal;
}

static int is_same(int one, int other) {
  unsigned first, second;
  return ioctl(one, TIOCGDEV, &first) == 0 && ioctl(other, TIOCGDEV, &second) == 0 && first == second;
}

unsigned walls_terminal_streams(int terminal) {
  unsigned streams = 0;
  for (int stream = 0; stream < 3; stream++)
    if (is_same(stream, terminal)) streams |= 1U << stream;
  return streams;
}

int walls_is_pipe(int stream) {
  struct stat status;
  return fstat(stream, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

int walls_is_in_front(int terminal) {
  pid_t group = tcgetpgrp(terminal);
  // With the end of the shell, its session loses the terminal, which is then another program's.
  return group < 0 ? errno == ENOTTY && !is_of_session : group == getpgrp();
}

// ---- Modes

static int have_modes(int terminal, const struct termios *modes) {
  struct termios now;
  return tcgetattr(terminal, &now) == 0 && now.c_iflag == modes->c_iflag && now.c_oflag == modes->c_oflag &&
         now.c_lflag == modes->c_lflag;
}

static void restore(int terminal) {
  if (kept->has_keys && have_modes(terminal, &kept->taken)) tcsetattr(terminal, TCSANOW, &kept->before);
  kept->has_keys = 0;
}

int walls_take_keys(int terminal) {
  struct termios modes;
  if (!walls_is_in_front(terminal)) return 0;
  if (kept->has_keys && have_modes(terminal, &kept->taken)) return 1;
  if (tcgetattr(terminal, &modes) < 0) return 0;
  kept->before = modes;
  cfmakeraw(&modes);
  kept->taken = modes;
  kept->has_keys = 1;
  return tcsetattr(terminal, TCSANOW, &modes) == 0;
}

void walls_leave_keys(int terminal) {
  if (walls_is_in_front(terminal)) restore(terminal);
  kept->has_keys = 0;
}

int walls_adds_returns(int terminal) {
  struct termios now;
  return tcgetattr(terminal, &now) == 0 && (now.c_oflag & OPOST) && (now.c_oflag & ONLCR);
}

void walls_copy_size(int from, int to) {
  struct winsize size;
  if (ioctl(from, TIOCGWINSZ, &size) == 0) ioctl(to, TIOCSWINSZ, &size);
}

// A session of its own keeps the keeper from what ends or stops the job.
static void keep(int terminal, int warden) {
  setsid();
  if (dup2(terminal, 0) < 0 || dup2(warden, 1) < 0) _exit(1);
  syscall(SYS_close_range, 2, ~0U, 0);
  char byte;
  ssize_t count;
  do count = read(1, &byte, 1);
  while (count < 0 && errno == EINTR);
  if (count == 0) restore(0);
  _exit(0);
}

int walls_start_keeper(int terminal) {
  int ends[2];
  kept = mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (kept == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -1;
  keeper = fork();
  if (keeper == 0) {
    // These may be where the keeper puts its own.
    int other = fcntl(terminal, F_DUPFD, 3), warden = fcntl(ends[0], F_DUPFD, 3);
    close(ends[1]);
    keep(other, warden);
  }
  close(ends[0]);
  if (keeper > 0) return ends[1];
  close(ends[1]);
  return -1;
}

void walls_end_keeper(int to_keeper) {
  // Somebody may have ended it.
  send(to_keeper, "", 1, MSG_NOSIGNAL);
  close(to_keeper);
  waitpid(keeper, NULL, 0);
}

// ---- Waiting

_Static_assert(sizeof(struct walls_source) == sizeof(struct pollfd), "one layout");
_Static_assert(offsetof(struct walls_source, found) == offsetof(struct pollfd, revents), "one layout");

int walls_poll(struct walls_source *sources, int count) { return poll((struct pollfd *)sources, (nfds_t)count, -1) > 0; }

// ---- Signals

static sigset_t set_of(const int *numbers, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, numbers[i]);
  return set;
}

int walls_watch_job_signals(void) {
  // A blocked SIGTTIN makes reading at another job's terminal an error, and a blocked SIGTTOU lets modes be put back.
  static const int numbers[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGQUIT, SIGTTIN, SIGTTOU};
  sigset_t blocked = set_of(numbers, 7), taken = set_of(numbers, 5);
  if (sigprocmask(SIG_BLOCK, &blocked, NULL) < 0) return -1;
  for (int i = 0; i < 7; i++) signal(numbers[i], SIG_DFL);
  return signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

int walls_next_signal(int signals) {
  struct signalfd_siginfo info;
  return read(signals, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

// All other threads block the signal, so this one is stopped before the call that sends it returns.
int walls_stop(int number, int with_group) {
  static const int on[] = {SIGCONT};
  sigset_t continued = set_of(on, 1), stopping = set_of(&number, 1), before;
  struct timespec now = {0, 0};
  pthread_sigmask(SIG_UNBLOCK, &stopping, &before);
  if (with_group) kill(0, number);
  else raise(number);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return sigtimedwait(&continued, NULL, &now) == SIGCONT;
}

// ---- The job

int walls_job_sockets(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

void walls_give_order(int job, enum walls_order order) {
  char byte = (char)order;
  // Pid 1 may have ended already.
  send(job, &byte, 1, MSG_NOSIGNAL);
}

int walls_next_stop(int job) {
  int number;
  ssize_t count = recv(job, &number, sizeof number, MSG_DONTWAIT);
  if (count == sizeof number) return number;
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}
