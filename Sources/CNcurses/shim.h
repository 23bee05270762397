// The parts of <curses.h> that Swift cannot import directly. Everything here is stateless, because a system
// library target has no object file in which to keep state.
#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// The Glibc module hides this function.
extern int wcwidth(wchar_t character);

static inline int cncurses_wcwidth(wchar_t character) { return wcwidth(character); }

// Of <term.h>, whose macros have the names of ordinary variables. The result is 1 if the terminal is described here.
extern int setupterm(const char *type, int descriptor, int *result);

static inline int cncurses_select_terminal(const char *type) {
  int result = 0;
  (void)setupterm(type, STDOUT_FILENO, &result);
  return result;
}

// The attributes are macros with casts, which Swift cannot import.
static inline attr_t cncurses_bold(void) { return WA_BOLD; }
static inline attr_t cncurses_dim(void) { return WA_DIM; }
static inline attr_t cncurses_reverse(void) { return WA_REVERSE; }
static inline attr_t cncurses_underline(void) { return WA_UNDERLINE; }

// Glibc declares memfd_create only if _GNU_SOURCE is defined. The flag 1 is MFD_CLOEXEC.
static inline int cncurses_memfd(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

// Swift cannot call functions with a variable number of arguments.
static inline char *cncurses_tiparm(const char *string, int first, int second) { return tiparm(string, first, second); }

// These are mutable global variables, to which Swift does not allow access.
static inline int cncurses_colors(void) { return COLORS; }
static inline WINDOW *cncurses_screen_window(void) { return stdscr; }

#endif
