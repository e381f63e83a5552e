#pragma once

// What the tests' own servers and processes call and the Glibc module leaves out: these are
// declared only for _GNU_SOURCE, so they are declared here again, as the manual pages have them.
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

// pipe2(2): both ends close-on-exec from birth, so no child started meanwhile holds one open.
extern int pipe2(int ends[2], int flags);

// accept4(2): for the same reason.
extern int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict length,
                   int flags);

// posix_spawn(3) extensions of glibc: the child's folder, and no descriptor but the three it is given.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict actions,
                                                const char *restrict folder);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// The macros of wait(2) are function-like, which Swift does not import.
static inline int wait_exited(int status) { return WIFEXITED(status); }
static inline int wait_exit_status(int status) { return WEXITSTATUS(status); }
static inline int wait_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
