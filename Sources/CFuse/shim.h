// The low-level interface of libfuse3, which is linked statically. `_FILE_OFFSET_BITS` must not be defined here: Swift's
// Glibc module is compiled without it, and both must mean the same `struct stat`.
#ifndef CFUSE_SHIM_H
#define CFUSE_SHIM_H

#define FUSE_USE_VERSION 312
#include <fuse3/fuse_lowlevel.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#endif
