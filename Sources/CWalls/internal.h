#ifndef WALLS_INTERNAL_H
#define WALLS_INTERNAL_H

#include <sys/ioctl.h>
#include <termios.h>
#include "walls.h"

// Sends a report, with its descriptor. Returns -1 with errno set if that fails.
int walls_send(int channel, const struct walls_report *report);

// The exit status as shells count it.
int walls_exit_status(int status);

// ---- The job inside

// The modes and the size that the person's terminal had at the start.
extern struct termios walls_first_modes;
extern struct winsize walls_first_size;

// Makes the run's own terminal, leads a session there, and puts it in the place of the streams that are the person's.
// Returns the window's end, or -1 with errno set.
int walls_lead_session(const struct walls_start *start, int *terminal);

// Closes all descriptors but the streams, the terminal and the socket of the job.
int walls_keep_job(int terminal, int job);

// Lets signals about children arrive in `walls_lead_job` only.
void walls_block_children(void);

// Makes this process the leader of the job, before it becomes the program.
void walls_become_job(int is_in_front);

// Follows the warden's orders about the program, and tells when it is stopped. Ends as it does.
_Noreturn void walls_lead_job(pid_t program);

#endif
