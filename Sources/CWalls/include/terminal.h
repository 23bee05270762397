// The person's terminal, as the warden keeps it from the program, and the job that the program is.
#ifndef TERMINAL_H
#define TERMINAL_H

#include <sys/types.h>

// A descriptor to wait for, as in `struct pollfd`.
struct walls_source {
  int descriptor;  // -1: none
  short wanted, found;
};

// Waits until something is found. Returns 0 if a signal came before.
int walls_poll(struct walls_source *sources, int count);

// Opens the terminal that this process has, and remembers its modes and size for the run's own. Returns -1 without one.
int walls_find_terminal(void);

// The standard streams that are this terminal: bit n for stream n.
unsigned walls_terminal_streams(int terminal);

// Whether a stream leads to another program.
int walls_is_pipe(int stream);

// Whether this process's job has the terminal. It always has one that belongs to no session of this process.
int walls_is_in_front(int terminal);

// Starts the keeper, which restores the terminal's modes if this process is killed. Returns a descriptor for
// `walls_end_keeper`, or -1. It must be called before keys are taken.
int walls_start_keeper(int terminal);
void walls_end_keeper(int keeper);

// Takes every key as it is pressed, if this process's job has the terminal. Returns whether it does now.
int walls_take_keys(int terminal);

// Puts back the modes that the terminal had before, unless another program has changed them since.
void walls_leave_keys(int terminal);

// Whether the terminal puts a return before each line feed.
int walls_adds_returns(int terminal);

void walls_copy_size(int from, int to);

// Blocks the signals of a job for this thread and those that it starts, and returns a descriptor for them.
int walls_watch_job_signals(void);

// Takes the next of these signals. Returns 0 if there is none.
int walls_next_signal(int signals);

// Stops this process as a signal does, with its group or alone. Returns whether it was stopped, and is continued now: a
// group without a shell cannot be stopped.
int walls_stop(int number, int with_group);

// What the warden tells pid 1 about the program's job, and the signals that pid 1 sends for it.
enum walls_order {
  walls_order_front,  // it gets the run's terminal, and goes on
  walls_order_back,   // it goes on without
  walls_order_stop,
  walls_order_interrupt,
  walls_order_quit,
  walls_order_resize  // the size has changed while another job has the run's terminal
};

// Makes the pair of sockets for these.
int walls_job_sockets(int ends[2]);

void walls_give_order(int job, enum walls_order order);

// Returns the signal that has stopped the program; 0 if there is none yet, -1 if there will be none.
int walls_next_stop(int job);

#endif
