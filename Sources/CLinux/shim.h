#pragma once

// The Linux system calls that the Glibc module leaves out: they are declared only for _GNU_SOURCE,
// or are in headers that its module map does not name.
//
// Headers whose types Swift reaches through Glibc (struct stat, pollfd, sigset_t) are not included
// here. Their members would belong to the module that is loaded first, and a file that imports the
// other would compile only sometimes.
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// flock(2) with LOCK_EX | LOCK_NB.
static inline int linux_lock_exclusively(int descriptor) {
    return (int)syscall(SYS_flock, descriptor, 2 | 4);
}

// flock(2) with LOCK_UN.
static inline int linux_unlock(int descriptor) {
    return (int)syscall(SYS_flock, descriptor, 8);
}

// flock(2) with LOCK_EX, which waits.
static inline int linux_wait_for_lock(int descriptor) {
    return (int)syscall(SYS_flock, descriptor, 2);
}

// renameat2(2): rename that refuses to replace (RENAME_NOREPLACE is a macro of linux/fs.h).
static inline int linux_rename_noreplace(int from_folder, const char *from, int to_folder,
                                         const char *to) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 1u);
}

// fstatfs(2): whether a file that was opened with O_TMPFILE can be named later, as far as is known.
static inline int linux_can_be_named(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    switch ((unsigned long)status.f_type) {
    case 0xef53ul:     /* EXT4_SUPER_MAGIC, also of ext2 and ext3 */
    case 0x58465342ul: /* XFS_SUPER_MAGIC */
    case 0x9123683eul: /* BTRFS_SUPER_MAGIC */
    case 0xf2f52010ul: /* F2FS_SUPER_MAGIC */
    case 0x794c7630ul: /* OVERLAYFS_SUPER_MAGIC */
    case 0x01021994ul: /* TMPFS_MAGIC */
        return 1;
    default: return 0;
    }
}

// fallocate(2) with mode FALLOC_FL_KEEP_SIZE: blocks are set aside, the size stays what was written.
static inline int linux_fallocate_keep_size(int descriptor, int64_t offset, int64_t length) {
    return (int)syscall(SYS_fallocate, descriptor, 1, offset, length);
}

// Whether a file system keeps its files in memory, where fsync(2) does nothing.
static inline int linux_keeps_in_memory(const struct statfs *status) {
    return status->f_type == 0x01021994 /* TMPFS_MAGIC */ ||
           status->f_type == 0x858458f6 /* RAMFS_MAGIC */;
}

// fstatfs(2): whether a file is in memory and has no disk to be flushed to; 0 where that is not known.
static inline int linux_is_in_memory(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 && linux_keeps_in_memory(&status);
}

// fstatfs(2): the bytes that this user may still write to a file system; -1 where it keeps its files
// in memory, or says nothing.
static inline int64_t linux_free_disk_space(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0 || linux_keeps_in_memory(&status)) return -1;
    int64_t bytes;
    if (__builtin_mul_overflow((int64_t)status.f_bavail, (int64_t)status.f_bsize, &bytes)) return -1;
    return bytes;
}

// fallocate(2) with FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE: blocks are given back.
static inline void linux_punch_hole(int descriptor, int64_t offset, int64_t length) {
    syscall(SYS_fallocate, descriptor, 2 | 1, offset, length);
}

// utimensat(2) on a descriptor, with UTIME_OMIT, which is declared only for _GNU_SOURCE: the time of
// the last access stays what it is. Where none can be set, as on some network drives, the file is
// as good.
static inline void linux_set_modification_time(int descriptor, int64_t seconds) {
    const struct timespec times[2] = {{0, (1l << 30) - 2l}, {(time_t)seconds, 0}};
    syscall(SYS_utimensat, descriptor, NULL, times, 0);
}

// getxattr(2), fsetxattr(2) and fremovexattr(2), whose header the Glibc module leaves out.
static inline long linux_get_attribute(const char *path, const char *name, void *value,
                                       size_t size) {
    return syscall(SYS_getxattr, path, name, value, size);
}
static inline int linux_set_attribute(int descriptor, const char *name, const void *value,
                                      size_t size) {
    return (int)syscall(SYS_fsetxattr, descriptor, name, value, size, 0);
}
static inline int linux_remove_attribute(int descriptor, const char *name) {
    return (int)syscall(SYS_fremovexattr, descriptor, name);
}

// ioctl(2) is variadic: FICLONE, which makes one file share all blocks of another until either is
// written to; a macro of linux/fs.h.
static inline int linux_clone_file(int to, int from) {
    return (int)syscall(SYS_ioctl, to, 0x40049409ul, from);
}

// ioprio_set(2) for a thread of this process (0: this one), and those that it starts: the last of the
// best-effort levels. glibc has no such function. The idle class would let a busy disk hold a
// journal's writes up for ever.
static inline int linux_lower_io_priority(int thread) {
    return (int)syscall(SYS_ioprio_set, 1, thread, 2 << 13 | 7);
}

// capset(2), which glibc has no function for: this thread, and those that it starts, may raise no
// priority any more (CAP_SYS_NICE, 23), until they are another program.
static inline int linux_give_up_raising_priority(void) {
    struct { unsigned version; int thread; } head = {0x20080522, 0};
    struct { unsigned effective, permitted, inheritable; } sets[2];
    if (syscall(SYS_capget, &head, sets) != 0) return -1;
    sets[0].effective &= ~(1u << 23);
    return (int)syscall(SYS_capset, &head, sets);
}

// prctl(2) is variadic. The name is cut to 15 bytes.
static inline void linux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// open(2) is variadic, and O_PATH is declared only for _GNU_SOURCE: a descriptor that can neither
// be read nor written. The rest of the flags come from the caller.
static inline int linux_open_path(const char *path, int flags) {
    return (int)syscall(SYS_openat, -100, path, flags | 010000000);
}

// O_TMPFILE, declared only for _GNU_SOURCE: a file without a name, gone with its descriptor. The
// rest of the flags come from the caller, since O_DIRECTORY, which belongs to it, differs by machine.
static inline int linux_open_unnamed(const char *folder, int flags) {
    return (int)syscall(SYS_openat, -100, folder, flags | 020000000, 0600);
}

// fcntl(2) is variadic: F_SETFD with FD_CLOEXEC.
static inline void linux_close_on_exec(int descriptor) {
    syscall(SYS_fcntl, descriptor, 2, 1);
}

// accept4(2), declared only for _GNU_SOURCE, with SOCK_CLOEXEC and SOCK_NONBLOCK: no program that is
// started at the same time inherits it.
static inline int linux_accept(int listener) {
    return (int)syscall(SYS_accept4, listener, NULL, NULL, 02000000 | 04000);
}

// fcntl(2) is variadic: F_DUPFD_CLOEXEC.
static inline int linux_duplicate(int descriptor) {
    return (int)syscall(SYS_fcntl, descriptor, 1030, 0);
}

// fcntl(2) is variadic, and F_SETPIPE_SZ and F_GETPIPE_SZ are declared only for _GNU_SOURCE. A pipe
// that holds more stays as it is: another process has enlarged it.
static inline int linux_enlarge_pipe(int descriptor, int bytes) {
    int size = (int)syscall(SYS_fcntl, descriptor, 1032, 0);
    if (size < 0 || size >= bytes) return size;
    return (int)syscall(SYS_fcntl, descriptor, 1031, bytes);
}

// copy_file_range(2), declared only for _GNU_SOURCE, on both files' own offsets; where two file
// systems do not let it, the bytes are read and written.
static inline ptrdiff_t linux_copy_file_range(int from, int to, size_t length) {
    ptrdiff_t count = syscall(SYS_copy_file_range, from, NULL, to, NULL, length, 0u);
    if (count >= 0) return count;
    char bytes[65536];
    count = read(from, bytes, length < sizeof bytes ? length : sizeof bytes);
    for (ptrdiff_t done = 0; done < count;) {
        ptrdiff_t written = write(to, bytes + done, (size_t)(count - done));
        if (written < 0) return -1;
        done += written;
    }
    return count;
}

// A socket on which rtnetlink(7) says what changes of links, addresses and routes; -1 where it cannot
// be had. Its numbers are those of AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE
// and the groups RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR and _IPV6_ROUTE. The address
// is a struct sockaddr_nl, from headers that Swift's modules leave out.
static inline int linux_open_route_notices(void) {
    int descriptor = (int)syscall(SYS_socket, 16, 3 | 02000000 | 04000, 0);
    if (descriptor < 0) return -1;
    const struct {
        uint16_t family, padding;
        uint32_t process, groups;
    } address = {16, 0, 0, 0x1 | 0x10 | 0x40 | 0x100 | 0x400};
    if (syscall(SYS_bind, descriptor, &address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

// Has a process that is started close all descriptors from one on; `actions` is a
// posix_spawn_file_actions_t *.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
static inline int linux_spawn_closes(void *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

// The commit that the executable is made of, which Scripts/link puts in (Dist/commit.c); NULL in a build
// without it. It comes with the linker, so that no source file differs from commit to commit.
extern const char fetch_commit[] __attribute__((weak));
static inline const char *linux_build_commit(void) {
    return fetch_commit;
}

// pidfd_open(2), whose number is the same on every machine: a descriptor that can be read when the
// process has ended; it is closed on exec.
static inline int linux_watch_process(int process) {
    return (int)syscall(434, process, 0u);
}

// POSIX_SPAWN_SETSID.
static const int linux_spawn_setsid = 0x80;

// The environment, for posix_spawn(3): a variable, which Swift cannot look at as such.
extern char **environ;
static inline char **linux_environment(void) {
    return environ;
}

// memmem(3): whether some bytes have others in them.
extern void *memmem(const void *bytes, size_t count, const void *part, size_t part_count);
static inline int linux_contains(const void *bytes, size_t count, const void *part,
                                 size_t part_count) {
    return memmem(bytes, count, part, part_count) != NULL;
}
