// Pid 1's side of the terminal: it leads the session at the run's own, in which the program is a job.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include "internal.h"
#include "terminal.h"

// The descriptors that pid 1 keeps.
enum { own_terminal = 3, orders = 4 };

static pid_t program;
static pid_t in_front;  // the group that had the terminal before the job went back
static int last_stop;

static int make_pair(int *window) {
  int unlocked = 0;
  *window = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (*window < 0 || ioctl(*window, TIOCSPTLCK, &unlocked) < 0) return -1;
  return ioctl(*window, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

int walls_lead_session(const struct walls_start *start, int *job) {
  int window, terminal = make_pair(&window);
  if (terminal < 0 || setsid() < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0) return -1;
  tcsetattr(terminal, TCSANOW, &walls_first_modes);
  ioctl(terminal, TIOCSWINSZ, &walls_first_size);
  for (int stream = 0; stream < 3; stream++)
    if (start->terminal_streams >> stream & 1 && dup2(terminal, stream) < 0) return -1;
  *job = terminal;
  return window;
}

int walls_keep_job(int terminal, int job) {
  // Away from the numbers at which they are to be.
  int far_terminal = fcntl(terminal, F_DUPFD_CLOEXEC, 16), far_job = fcntl(job, F_DUPFD_CLOEXEC, 16);
  if (far_terminal < 0 || far_job < 0) return -1;
  if (dup3(far_terminal, own_terminal, O_CLOEXEC) < 0 || dup3(far_job, orders, O_CLOEXEC) < 0) return -1;
  return (int)syscall(SYS_close_range, 5, ~0U, 0);
}

void walls_become_job(int is_in_front) {
  setpgid(0, 0);
  if (!is_in_front) return;
  signal(SIGTTOU, SIG_IGN);
  tcsetpgrp(own_terminal, getpid());
}

static void send_signal(int number) {
  if (kill(-program, number) < 0) kill(program, number);
}

static void go_to_front(void) {
  pid_t now = tcgetpgrp(own_terminal);
  int wants = last_stop == SIGTTIN || last_stop == SIGTTOU;
  // A job of a shell inside keeps the terminal.
  if (!wants && now > 0 && now != getpgrp() && kill(-now, 0) == 0) return;
  if (wants || in_front == 0 || kill(-in_front, 0) < 0) in_front = program;
  tcsetpgrp(own_terminal, in_front);
}

static void go_back(void) {
  pid_t now = tcgetpgrp(own_terminal);
  if (now == getpgrp()) return;
  in_front = now;
  tcsetpgrp(own_terminal, getpgrp());
}

static void obey(enum walls_order order) {
  switch (order) {
    case walls_order_front: go_to_front(); send_signal(SIGCONT); last_stop = 0; break;
    case walls_order_back: go_back(); send_signal(SIGCONT); break;
    case walls_order_stop: send_signal(SIGTSTP); break;
    case walls_order_interrupt: send_signal(SIGINT); break;
    case walls_order_quit: send_signal(SIGQUIT); break;
    case walls_order_resize: send_signal(SIGWINCH); break;
  }
}

// Collects every child. Ends as the program does.
static void collect(void) {
  int status;
  pid_t child;
  while ((child = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
    if (child != program) continue;
    if (!WIFSTOPPED(status)) _exit(walls_exit_status(status));
    last_stop = WSTOPSIG(status);
    send(orders, &last_stop, sizeof last_stop, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

static void notice(int number) { (void)number; }

void walls_block_children(void) {
  static const int ignored[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};
  for (int i = 0; i < 4; i++) signal(ignored[i], SIG_IGN);
  struct sigaction action = {.sa_handler = notice};
  sigaction(SIGCHLD, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

void walls_lead_job(pid_t of) {
  sigset_t waiting;
  sigprocmask(SIG_BLOCK, NULL, &waiting);
  sigdelset(&waiting, SIGCHLD);
  program = of;
  setpgid(program, program);
  struct pollfd source = {orders, POLLIN, 0};
  for (;;) {
    collect();
    if (ppoll(&source, 1, NULL, &waiting) <= 0) continue;
    char order;
    if (recv(orders, &order, 1, MSG_DONTWAIT) == 1) obey((enum walls_order)order);
    else source.fd = -1;
  }
}
