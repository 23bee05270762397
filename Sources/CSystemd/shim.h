// The D-Bus client of libsystemd. Swift imports those of its functions that have a fixed number of arguments.
#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

#include <systemd/sd-bus.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// The error number of the last system call, which Swift sees as a variable only through the Glibc module.
static inline int csystemd_error(void) { return errno; }

static inline int csystemd_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

#endif
