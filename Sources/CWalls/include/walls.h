// The walls: what a program is started behind, so that it reaches files only through the shadow that the warden serves.
#ifndef WALLS_H
#define WALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// ---- The filter of system calls

// One instruction of the kernel's packet filter; the layout of `struct sock_filter`.
struct walls_instruction {
  uint16_t code;
  uint8_t if_true, if_false;
  uint32_t value;
};

enum { walls_instructions_limit = 4096 };
enum walls_machine { walls_x86_64, walls_arm64 };

// Writes the filter for a machine and returns its number of instructions, at most `walls_instructions_limit`.
int walls_filter(enum walls_machine machine, struct walls_instruction *to);

// One system call of the table: its name, its number on a machine (-1 if it does not exist there), and what the table
// says about it: 'A' allowed, 'R' refused, 'C' allowed with some arguments, 'N' made by the warden.
struct walls_call {
  const char *name;
  int number;
  char kind;
};

// Returns the call at a position of the table. Its name is NULL behind the last.
struct walls_call walls_call_at(enum walls_machine machine, size_t position);

// ---- The start of a program

// What is to be started. All strings live until the start has ended; paths are absolute.
struct walls_start {
  const char *const *arguments;    // the program's name, then its arguments; NULL at the end
  const char *const *environment;  // NULL at the end
  const char *folder;              // the working folder
  const char *const *bound;        // folders of the system that are bound read-only; NULL at the end
  const char *const *native;       // folders that are used as they are outside; NULL at the end
  const int *native_folders;       // what the warden has looked at under these names
  const char *const *kept;         // names in them that nobody inside changes; NULL at the end
  const char *fuse;                // the device, usually /dev/fuse
  uint64_t ignored_signals;        // bit n - 1: signal n was ignored when the warden began
  uint64_t descriptors;            // the soft limit of the program's open files
  unsigned terminal_streams;       // bit n: stream n is the person's terminal, and becomes the run's own
  int is_in_front;                 // whether the program begins with the run's terminal
  int job;                         // pid 1's end of the sockets of the job; -1 without a terminal
  int other_job;                   // the warden's end
};

// A step of the start. A step that fails ends the start; its name completes the sentence "cannot …".
enum walls_step {
  walls_step_none,
  walls_step_namespaces,
  walls_step_users,
  walls_step_device,
  walls_step_root,
  walls_step_shadow,
  walls_step_system,
  walls_step_devices,
  walls_step_temporary,
  walls_step_processes,
  walls_step_network,
  walls_step_rights,
  walls_step_filter,
  walls_step_folder,
  walls_step_terminal,
  walls_step_native,
  walls_step_count
};

// What a descriptor is good for that the builder hands over.
enum walls_gift {
  walls_gift_none,
  walls_gift_files,         // the FUSE device: the shadow is mounted and must be served from now on
  walls_gift_temporary,     // a temporary folder of the run's own
  walls_gift_names,         // the datagram socket at which programs inside ask for the addresses of names
  walls_gift_name_streams,  // the same for streams; it listens
  walls_gift_calls,         // the calls that the warden makes
  walls_gift_terminal       // the window's end of the run's terminal
};

// What the builder tells the warden: with `walls_step_none`, a descriptor is handed over; otherwise the step has failed for
// the reason `error`.
struct walls_report {
  int step;
  int error;
  int gift;
  int descriptor;
};

// Starts the builder, which reports through `channel`, one end of a pair of SOCK_SEQPACKET sockets. Returns its process id,
// or -1 with errno set. The builder ends with the program's exit status, and dies with the thread that calls this.
pid_t walls_begin(const struct walls_start *start, int channel, int other_end);

// Waits for the next report. Returns 1, or 0 if there will be none: the program runs, or the builder is gone.
int walls_receive(int channel, struct walls_report *report);

// Waits for the end of a process, and returns its exit status as shells count it.
int walls_await(pid_t process);

// The signals that this process ignores: bit n - 1 for signal n.
uint64_t walls_ignored_signals(void);

// Passes the signals that end or inform a program on to a process, and ignores those that a terminal sends to all.
void walls_pass_signals_to(pid_t process);

// Makes this process closed to other processes of the same user: no ptrace, no /proc/PID/mem.
void walls_close_to_others(void);

// Lets other processes of the user see again which program this process runs. The processes inside cannot see it at all.
void walls_open_to_others(void);

// Sets up a signal so that a lease that another process wants to break is told through `pipe`, as the descriptor's number.
int walls_watch_leases(int pipe);

// Takes a lease on an open file: 1 for writing, which only succeeds if nobody else has the file open; 0 gives it back.
int walls_lease(int descriptor, int take);

// Writes at the end of the file, wherever that is by then, or at `offset`.
ssize_t walls_append(int descriptor, const void *bytes, size_t count);

// Locks a range of a file for the open file description: F_RDLCK, F_WRLCK or F_UNLCK. A length of 0 reaches to the end.
int walls_lock_range(int descriptor, int type, off_t start, off_t length);

// Tells which lock of another open file description is in the way. Returns its type, or F_UNLCK; -1 with errno set.
int walls_conflicting_lock(int descriptor, int type, off_t start, off_t length, off_t *found_start, off_t *found_length);

// The reason for which the last call of this thread failed.
int walls_error(void);

// The calls with a variable number of arguments, which Swift cannot make, and flags that need _GNU_SOURCE.
int walls_open(int folder, const char *path, int flags, mode_t mode);
int walls_open_node(int folder, const char *name);    // refers to the entry itself without opening it
int walls_reopen(int node, int flags);                // opens the file to which such a descriptor refers
int walls_open_node_of(int descriptor);              // such a descriptor for an open file
int walls_duplicate(int descriptor);

// One entry of a folder, valid until the next is read.
struct walls_entry {
  const char *name;
  ino_t inode;
  off_t next;     // the offset behind the entry
  mode_t kind;    // the bits of S_IFMT
};

// Reads the next entry of an open folder (DIR *). Returns 0 behind the last.
int walls_next_entry(void *folder, struct walls_entry *entry);

// Waits until one of three descriptors can be read. Returns a bit for each; the first is 1.
int walls_wait(int first, int second, int third, int milliseconds);

int walls_event(void);  // an event descriptor
int walls_pipe(int ends[2]);  // whose ends do not block
int walls_blocking_pipe(int ends[2]);
int walls_channel(int ends[2]);       // a pair of sockets that keep messages apart
int walls_open_null(int descriptor);  // opens /dev/null under this number
int walls_allocate(int descriptor, int mode, off_t offset, off_t length);
int walls_close_on_exec(int descriptor);

// The times "now" and "unchanged" of utimensat.
static const long walls_now = (1l << 30) - 1l;
static const long walls_omit = (1l << 30) - 2l;

// Renames between two folders: flags are RENAME_NOREPLACE or RENAME_EXCHANGE.
int walls_rename(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);

// Whether a link below a folder leads out of it, or to nothing.
int walls_leads_out(int folder, const char *path);

// Copies the contents of a file to another one, which is empty. Returns 0, or -1 with errno set.
int walls_copy(int from, int to, off_t size);

// Makes a further name for the file behind a descriptor of O_PATH.
int walls_link(int descriptor, int folder, const char *name);

#endif
