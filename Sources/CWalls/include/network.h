// The calls about sockets that the warden makes for programs inside.
#ifndef NETWORK_H
#define NETWORK_H

// Swift's part of the network needs these, too.
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

// The address of the own network that is no loopback address: 198.18.0.1. The others of 198.18.0.0/15 stand for names.
static const uint32_t walls_own_address = UINT32_C(198) << 24 | UINT32_C(18) << 16 | 1;

enum walls_call_name { walls_call_connect, walls_call_bind, walls_call_listen };

// A call that a thread inside waits for.
struct walls_request {
  uint64_t id;
  pid_t thread;
  int call;
  int descriptor;
  uint64_t address;  // where the program keeps the address, in its memory
  int32_t number;    // the length of the address; for `listen`, how many connections may wait
};

// Takes the next call. Returns 1; 0 if its thread is gone by now; -1 if there will be none.
int walls_next_request(int calls, struct walls_request *request);

// Whether a thread still waits for its call.
int walls_is_waiting(int calls, uint64_t id);

// Ends a call: with success, or with an error number.
void walls_end_call(int calls, uint64_t id, int error);

// Puts a socket in the place of a descriptor of the thread that waits.
int walls_put_socket(int calls, uint64_t id, int socket, int descriptor, int closes_on_exec);

// Returns a copy of a descriptor of a thread.
int walls_take_descriptor(pid_t thread, int descriptor);

// Copies bytes from the memory of a thread. Returns 0, or -1 if not all can be read.
int walls_copy_memory(pid_t thread, uint64_t from, void *to, size_t count);

// Whether a thread's descriptor closes when another program is executed.
int walls_closes_on_exec(pid_t thread, int descriptor);

// The bits that a process takes away from the modes of new files.
mode_t walls_mode_mask(pid_t thread);

struct walls_socket {
  int family, type;
  uint64_t cookie;   // of this socket
  uint64_t network;  // of the network to which it belongs
  uint64_t inode;
  int is_blocking;
};

// Describes a socket. Returns -1 with errno set if the descriptor is none.
int walls_describe_socket(int descriptor, struct walls_socket *socket);

// Sets up a socket as another one is set up: what a program has chosen before it connects.
void walls_copy_options(int from, int to);

// Opens the entry to which an absolute path leads for a thread, without opening the file itself.
int walls_open_inside(pid_t thread, const char *path);

// Opens an entry of the host without following any link.
int walls_open_exactly(const char *path);

// Whether an entry belongs to a file system of a program, such as the shadow.
int walls_is_in_shadow(int entry);

// Connects or binds a socket of the Unix family to the entry behind a descriptor, or to a new name in a folder.
int walls_connect_local(int socket, int entry);
int walls_bind_local(int socket, int folder, const char *name, mode_t mask);

// Waits until a socket that connects is connected, at most so many milliseconds. Returns 0, or an error number.
int walls_await_connection(int socket, int milliseconds);

// Opens the file to which a socket was bound, wherever it lies by now, without opening it itself.
int walls_open_bound(int socket);

int walls_set_blocking(int socket, int is_blocking);
int walls_can_read(int first, int second, int milliseconds);  // a bit for each; 4: the first is gone

// Limits how long reading from a socket and writing to it may take.
int walls_limit_waiting(int socket, int seconds);

#endif
