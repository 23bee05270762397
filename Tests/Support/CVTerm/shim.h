// Declarations that Swift cannot import: bit fields, unions, and functions that the Glibc module hides. Stateless.
#ifndef CVTERM_SHIM_H
#define CVTERM_SHIM_H

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <vterm.h>

static inline int cvterm_is_bold(const VTermScreenCell *cell) { return cell->attrs.bold; }
static inline int cvterm_is_underlined(const VTermScreenCell *cell) { return cell->attrs.underline != 0; }
static inline int cvterm_is_reversed(const VTermScreenCell *cell) { return cell->attrs.reverse; }

static inline uint32_t cvterm_character(const VTermScreenCell *cell, int index) { return cell->chars[index]; }

// The palette index of a colour; -1 for the terminal's own, -2 for a colour that is not in the palette.
static inline int cvterm_color(const VTermColor *color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) return -1;
  return VTERM_COLOR_IS_INDEXED(color) ? color->indexed.idx : -2;
}

// Hidden by the feature macros that Swift compiles headers with.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *name, size_t size);

static inline int cvterm_openpt(int flags) {
  int descriptor = posix_openpt(flags);
  return descriptor >= 0 && grantpt(descriptor) == 0 && unlockpt(descriptor) == 0 ? descriptor : -1;
}

static inline int cvterm_ptsname(int descriptor, char *name, size_t size) {
  return ptsname_r(descriptor, name, size);
}

static inline int cvterm_pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

#endif
