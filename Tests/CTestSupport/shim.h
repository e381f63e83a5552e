#pragma once

// What the tests' own servers and processes call and the Glibc module leaves out. These are
// declared only for _GNU_SOURCE, so they are declared here again, as the manual pages have them.
#include <locale.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <wchar.h>

// pipe2(2): both ends close-on-exec from birth, so no child started meanwhile holds one open.
extern int pipe2(int ends[2], int flags);

// accept4(2): for the same reason.
extern int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict length,
                   int flags);

// posix_spawn(3) extensions of glibc: the child's folder, and no descriptor but the three it is given.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict actions,
                                                const char *restrict folder);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// setxattr(2), whose header the Glibc module leaves out.
extern int setxattr(const char *path, const char *name, const void *value, size_t size, int flags);

// The macros of wait(2) are function-like, which Swift does not import.
static inline int wait_exited(int status) { return WIFEXITED(status); }
static inline int wait_exit_status(int status) { return WEXITSTATUS(status); }
static inline int wait_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

// The peak of a process's resident memory in KiB, `VmHWM` of proc(5); 0 when it is gone. In C, since it is
// read a hundred times a second for each process under test.
static inline long resident_peak(pid_t process) {
    char text[4096];
    snprintf(text, sizeof text, "/proc/%d/status", (int)process);
    FILE *status = fopen(text, "re");
    if (!status) return 0;
    size_t count = fread(text, 1, sizeof text - 1, status);
    fclose(status);
    text[count] = 0;
    const char *line = strstr(text, "VmHWM:");
    return line ? strtol(line + 6, NULL, 10) : 0;
}

// The next word of SplitMix64. In C, since an unoptimized Swift build takes seconds for what a test
// of a large file needs.
static inline uint64_t pseudo_random_next(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

// Fills a buffer with words, in the order of this machine; the last is cut to what is left.
static inline void pseudo_random_fill(uint64_t *state, uint8_t *bytes, size_t count) {
    size_t offset = 0;
    for (; offset + 8 <= count; offset += 8) {
        uint64_t word = pseudo_random_next(state);
        __builtin_memcpy(bytes + offset, &word, 8);
    }
    if (offset < count) {
        uint64_t word = pseudo_random_next(state);
        __builtin_memcpy(bytes + offset, &word, count - offset);
    }
}

// Pseudo-terminals, pts(4): these are declared only for _XOPEN_SOURCE.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *path, size_t size);

// posix_spawn(3): the child leads a session of its own, so that a terminal can become its own.
enum { SPAWN_IN_SESSION = 0x80 };

// The columns that the C library gives a character in a UTF-8 locale; −1 for what it does not know.
extern int wcwidth(wchar_t character);
static inline int locale_width(uint32_t scalar) {
    static locale_t utf8;
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = uselocale(utf8);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width;
}

// memfd_create(2): a file in memory, of a length that can be fixed (F_SEAL_GROW).
extern int memfd_create(const char *name, unsigned int flags);
enum { MEMFD_CLOEXEC = 1, MEMFD_ALLOW_SEALING = 2, ADD_SEALS = 1033, SEAL_GROW = 4 };
