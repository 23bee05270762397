// The builder: a child of the warden that makes namespaces and mounts, then forks pid 1 of the sandbox, which starts the
// program. Between `fork` and `execve` nothing is allocated, since the warden may have had other threads.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "internal.h"
#include "network.h"
#include "walls.h"

enum { status_no_walls = 125, status_not_executable = 126, status_not_found = 127 };

static const struct walls_start *start;
static int channel;
static volatile pid_t guarded;  // the process to which signals are passed on, and whose end is this one's

static void fail(enum walls_step step) {
  struct walls_report report = {step, errno, walls_gift_none, -1};
  (void)!write(channel, &report, sizeof report);
  _exit(status_no_walls);
}

static void must(int result, enum walls_step step) {
  if (result < 0) fail(step);
}

static void write_file(const char *path, const char *text, enum walls_step step) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  must(file, step);
  must((int)write(file, text, strlen(text)), step);
  close(file);
}

// Joins a folder and an absolute path. A path that is too long ends the start.
static const char *join(char (*to)[PATH_MAX], const char *folder, const char *path) {
  size_t first = strlen(folder), second = strlen(path);
  if (first + second >= sizeof *to) {
    errno = ENAMETOOLONG;
    fail(walls_step_system);
  }
  memcpy(*to, folder, first);
  memcpy(*to + first, path, second + 1);
  return *to;
}

// Hands a descriptor over to the warden, and closes it.
static void hand_over(int descriptor, enum walls_gift gift, enum walls_step step) {
  must(descriptor, step);
  struct walls_report report = {walls_step_none, 0, gift, descriptor};
  must(walls_send(channel, &report), step);
  close(descriptor);
}

// ---- Passing on signals and the end

static void pass_on(int signal) {
  if (guarded > 0) kill(guarded, signal);
}

// SIGINT and SIGQUIT come from a terminal, which sends them to the program as well.
static void pass_signals_on(void) {
  struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
  static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
    sigaction(passed[i], &action, NULL);
    sigaddset(&set, passed[i]);
  }
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
}

// A handler of the warden's, such as that of a crash, would let the program end pid 1, which ignores what it does not handle.
static void forget_handlers(void) {
  struct sigaction action;
  for (int number = 1; number < NSIG; number++)
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
}

static int has_terminal(void) { return start->job >= 0; }

// The warden follows what a terminal tells the job, and must not find its builder stopped.
static void leave_job_to_warden(void) {
  static const int numbers[] = {SIGTSTP, SIGTTIN, SIGTTOU};
  for (size_t i = 0; has_terminal() && i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
}

int walls_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Collects every child, and ends as the guarded process does.
static void end_with_guarded(void) {
  for (;;) {
    int status;
    pid_t ended = wait(&status);
    if (ended == guarded) _exit(walls_exit_status(status));
    if (ended < 0 && errno != EINTR) _exit(status_no_walls);
  }
}

static void restore_signals(void) {
  for (int number = 1; number < NSIG; number++)
    signal(number, start->ignored_signals >> (number - 1) & 1 ? SIG_IGN : SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// ---- Users and namespaces

static void map_user(const char *path, unsigned id) {
  char line[64];
  snprintf(line, sizeof line, "%u %u 1\n", id, id);
  write_file(path, line, walls_step_users);
}

static void make_namespaces(pid_t warden) {
  unsigned user = getuid(), group = getgid();
  must(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS), walls_step_namespaces);
  // The new rights have taken away the earlier setting.
  must(prctl(PR_SET_PDEATHSIG, SIGKILL), walls_step_namespaces);
  if (getppid() != warden) _exit(status_no_walls);
  write_file("/proc/self/setgroups", "deny", walls_step_users);
  map_user("/proc/self/uid_map", user);
  map_user("/proc/self/gid_map", group);
}

// ---- Mounts. While they are made, the old root is /old and the new one /new.

// The device is opened here, so that the file system belongs to the new user namespace.
static void mount_shadow(int device) {
  char options[128];
  snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=%u,group_id=%u", device, getuid(), getgid());
  must(mount("permtui", "/new", "fuse", MS_NOSUID | MS_NODEV, options), walls_step_shadow);
  hand_over(device, walls_gift_files, walls_step_shadow);
}

static void make_root(void) {
  int device = open(start->fuse, O_RDWR | O_CLOEXEC);
  must(device, walls_step_device);
  must(mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL), walls_step_root);
  must(mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"), walls_step_root);
  must(mkdir("/tmp/old", 0755), walls_step_root);
  must(mkdir("/tmp/new", 0755), walls_step_root);
  must((int)syscall(SYS_pivot_root, "/tmp", "/tmp/old"), walls_step_root);
  must(chdir("/"), walls_step_root);
  mount_shadow(device);
}

static void bind_read_only(const char *path) {
  char from[PATH_MAX], to[PATH_MAX];
  join(&from, "/old", path);
  join(&to, "/new", path);
  must(mount(from, to, NULL, MS_BIND | MS_REC, NULL), walls_step_system);
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
  must((int)syscall(SYS_mount_setattr, AT_FDCWD, to, AT_RECURSIVE, &attributes, sizeof attributes), walls_step_system);
}

static void mount_temporary(const char *path, const char *options) {
  must(mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options), walls_step_temporary);
}

static void bind_device(const char *name) {
  char from[PATH_MAX], to[PATH_MAX];
  join(&from, "/old/dev/", name);
  join(&to, "/new/dev/", name);
  int file = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  must(file, walls_step_devices);
  close(file);
  must(mount(from, to, NULL, MS_BIND, NULL), walls_step_devices);
}

static void make_devices(void) {
  must(mount("tmpfs", "/new/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755"), walls_step_devices);
  static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) bind_device(devices[i]);
  static const char *const links[][2] = {{"/proc/self/fd", "/new/dev/fd"}, {"/proc/self/fd/0", "/new/dev/stdin"},
    {"/proc/self/fd/1", "/new/dev/stdout"}, {"/proc/self/fd/2", "/new/dev/stderr"}, {"pts/ptmx", "/new/dev/ptmx"}};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) must(symlink(links[i][0], links[i][1]), walls_step_devices);
  must(mkdir("/new/dev/shm", 0755), walls_step_devices);
  mount_temporary("/new/dev/shm", "mode=1777");
  must(mkdir("/new/dev/pts", 0755), walls_step_devices);
  must(mount("devpts", "/new/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"), walls_step_devices);
}

// Names the warden as the one that knows the addresses of names. What has the name on the host may be a link to another file
// system; the mount covers the name itself. Without the file, programs ask at the same place.
static void make_resolver(void) {
  static const char text[] = "nameserver 127.0.0.1\n";
  int file = open("/resolv.conf", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  must(file, walls_step_network);
  must((int)write(file, text, sizeof text - 1), walls_step_network);
  close(file);
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/resolv.conf", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  must(tree, walls_step_network);
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
  must((int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes), walls_step_network);
  int result = (int)syscall(SYS_move_mount, tree, "", AT_FDCWD, "/new/etc/resolv.conf", MOVE_MOUNT_F_EMPTY_PATH);
  if (result < 0 && errno != ENOENT) fail(walls_step_network);
  close(tree);
}

// Mounts a folder as it is outside. Its name may lead elsewhere by now, so what is opened must be what the warden has looked
// at, and that is what is mounted, at the very place that the shadow has under the name.
static void mount_native(const char *path, int known) {
  char from[PATH_MAX], to[PATH_MAX];
  struct stat wanted, found;
  int folder = walls_open_exactly(join(&from, "/old", path));
  must(folder, walls_step_native);
  must(fstat(known, &wanted), walls_step_native);
  must(fstat(folder, &found), walls_step_native);
  if (wanted.st_dev != found.st_dev || wanted.st_ino != found.st_ino) {
    errno = ESTALE;
    fail(walls_step_native);
  }
  int tree = (int)syscall(SYS_open_tree, folder, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  must(tree, walls_step_native);
  // What is mounted in it outside later does not appear inside.
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, .propagation = MS_PRIVATE};
  must((int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes), walls_step_native);
  int place = walls_open_exactly(join(&to, "/new", path));
  must(place, walls_step_native);
  unsigned flags = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  must((int)syscall(SYS_move_mount, tree, "", place, "", flags), walls_step_native);
  close(place);
  close(tree);
  close(folder);
}

// Mounts a protected name of a native folder over itself, so that it can be read, and neither changed, moved nor removed.
static void keep_name(const char *path) {
  char to[PATH_MAX];
  int name = walls_open_exactly(join(&to, "/new", path));
  must(name, walls_step_native);
  int tree = (int)syscall(SYS_open_tree, name, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  must(tree, walls_step_native);
  struct mount_attr attributes = {
    .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, .propagation = MS_PRIVATE};
  must((int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes), walls_step_native);
  unsigned flags = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  must((int)syscall(SYS_move_mount, tree, "", name, "", flags), walls_step_native);
  close(tree);
  close(name);
}

// The warden knows by these folders which sockets were made inside.
static void hand_over_temporary(const char *path) {
  hand_over(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), walls_gift_temporary, walls_step_temporary);
}

static void fill_root(void) {
  for (const char *const *path = start->bound; *path; path++) bind_read_only(*path);
  mount_temporary("/new/tmp", "mode=1777");
  make_devices();
  make_resolver();
  for (size_t i = 0; start->native[i]; i++) mount_native(start->native[i], start->native_folders[i]);
  for (const char *const *path = start->kept; *path; path++) keep_name(*path);
  hand_over_temporary("/new/tmp");
  hand_over_temporary("/new/dev/shm");
}

static void enter_root(void) {
  must(chdir("/new"), walls_step_root);
  must((int)syscall(SYS_pivot_root, ".", "."), walls_step_root);
  must(umount2(".", MNT_DETACH), walls_step_root);
  must(chdir("/"), walls_step_root);
}

// ---- Pid 1 of the sandbox

static struct sockaddr_in address(uint32_t host, uint16_t port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(host)};
}

static void change_interface(int any, const char *name, unsigned long what, uint32_t host) {
  struct ifreq request = {.ifr_flags = 0};
  strcpy(request.ifr_name, name);
  struct sockaddr_in value = address(host, 0);
  if (what == SIOCSIFFLAGS) request.ifr_flags = IFF_UP | IFF_RUNNING;
  else memcpy(&request.ifr_addr, &value, sizeof value);
  must(ioctl(any, what, &request), walls_step_network);
}

// A resolver that knows only of a loopback address leaves out all addresses of names, so there is one more.
static void raise_loopback(void) {
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  must(any, walls_step_network);
  change_interface(any, "lo", SIOCSIFFLAGS, 0);
  change_interface(any, "lo:1", SIOCSIFADDR, walls_own_address);
  change_interface(any, "lo:1", SIOCSIFNETMASK, ~0U);
  close(any);
}

static int listen_for_names(int type) {
  int names = socket(AF_INET, type | SOCK_CLOEXEC, 0);
  must(names, walls_step_network);
  struct sockaddr_in place = address(INADDR_LOOPBACK, 53);
  must(bind(names, (struct sockaddr *)&place, sizeof place), walls_step_network);
  if (type == SOCK_STREAM) must(listen(names, 16), walls_step_network);
  return names;
}

static void make_network(void) {
  raise_loopback();
  hand_over(listen_for_names(SOCK_DGRAM), walls_gift_names, walls_step_network);
  hand_over(listen_for_names(SOCK_STREAM), walls_gift_name_streams, walls_step_network);
}

static void drop_rights(void) {
  for (int right = 0; right < 64; right++) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  must(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), walls_step_rights);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  must((int)syscall(SYS_capset, &header, none), walls_step_rights);
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), walls_step_rights);
  // A core handler behind a pipe runs outside and ignores a limit of 0; with 1 the kernel does not start it.
  struct rlimit one = {1, 1};
  must(setrlimit(RLIMIT_CORE, &one), walls_step_rights);
}

static void install_filter(void) {
  static struct walls_instruction instructions[walls_instructions_limit];
#ifdef __x86_64__
  int count = walls_filter(walls_x86_64, instructions);
#else
  int count = walls_filter(walls_arm64, instructions);
#endif
  struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)instructions};
  // A call that the warden has taken is interrupted by death only, or a runtime's timer signals would begin it again and again.
  unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  int calls = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  hand_over(calls, walls_gift_calls, walls_step_filter);
}

static void run_program(void) {
  if (has_terminal()) walls_become_job(start->is_in_front);
  restore_signals();
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = start->descriptors;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  execvpe(start->arguments[0], (char *const *)start->arguments, (char *const *)start->environment);
  int reason = errno;
  dprintf(2, "permtui-run: cannot start %s: %s\n", start->arguments[0], strerrordesc_np(reason));
  _exit(reason == ENOENT ? status_not_found : status_not_executable);
}

// Ends if the builder is gone: it may have died before this process had asked to be killed then.
static void follow(int parent) {
  must(prctl(PR_SET_PDEATHSIG, SIGKILL), walls_step_processes);
  char byte = 0;
  if (write(parent, &byte, 1) != 1 || read(parent, &byte, 1) != 1) _exit(status_no_walls);
  close(parent);
}

static int make_terminal(void) {
  int terminal = -1;
  if (has_terminal()) hand_over(walls_lead_session(start, &terminal), walls_gift_terminal, walls_step_terminal);
  return terminal;
}

static void begin_as_pid_1(int parent) {
  follow(parent);
  must(mount("proc", "/new/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), walls_step_processes);
  make_network();
  enter_root();
  must(chdir(start->folder), walls_step_folder);
  int terminal = make_terminal();
  drop_rights();
  install_filter();
  pass_signals_on();
  if (has_terminal()) walls_block_children();
  // Nothing of the warden's is left: its descriptors, its memory, and the channel. A job keeps two descriptors.
  int result = has_terminal() ? walls_keep_job(terminal, start->job) : (int)syscall(SYS_close_range, 3, ~0U, 0);
  must(result, walls_step_rights);
  must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), walls_step_rights);
  guarded = fork();
  if (guarded == 0) run_program();
  if (guarded < 0) _exit(status_no_walls);
  if (has_terminal()) walls_lead_job(guarded);
  end_with_guarded();
}

// ---- The builder

static void start_pid_1(void) {
  int pair[2];
  must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), walls_step_processes);
  must(unshare(CLONE_NEWPID), walls_step_processes);
  guarded = fork();
  must(guarded, walls_step_processes);
  if (guarded == 0) {
    close(pair[0]);
    begin_as_pid_1(pair[1]);
  }
  close(pair[1]);
  char byte;
  if (read(pair[0], &byte, 1) != 1 || write(pair[0], &byte, 1) != 1) _exit(status_no_walls);
  close(pair[0]);
}

static void build(pid_t warden) {
  // The maps of a process that is closed to others can only be written by root.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  make_namespaces(warden);
  make_root();
  fill_root();
  start_pid_1();
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  pass_signals_on();
  syscall(SYS_close_range, 0, ~0U, 0);
  end_with_guarded();
}

pid_t walls_begin(const struct walls_start *what, int to_warden, int other_end) {
  pid_t warden = getpid(), builder = fork();
  if (builder != 0) return builder;
  close(other_end);
  start = what;
  channel = to_warden;
  if (what->other_job >= 0) close(what->other_job);
  forget_handlers();
  leave_job_to_warden();
  build(warden);
  _exit(status_no_walls);
}

void walls_pass_signals_to(pid_t process) {
  guarded = process;
  pass_signals_on();
}
