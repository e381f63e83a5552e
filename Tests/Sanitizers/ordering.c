// Tells the thread sanitizer what the Swift runtime puts in order.
//
// The runtime's libraries are not instrumented. The fast paths of `Mutex` are compiled into the
// client, so the sanitizer sees them. The slow paths, taken when two threads meet, are not, and
// neither is `swift_once`, which initializes globals. Without this file every contended mutex and
// every global would be reported as a race.
//
// The linker takes these definitions instead of the runtime's; each then calls the runtime's.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// The sanitizer's own interface: what happened before a release of an address happened before the
// acquisitions of that address which follow.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// The runtime's definition of a function that this file defines too.
static void *original(void **known, const char *name) {
    void *function = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (function == NULL) {
        function = dlsym(RTLD_NEXT, name);
        if (function == NULL) abort();
        __atomic_store_n(known, function, __ATOMIC_RELEASE);
    }
    return function;
}

// Synchronization._MutexHandle._lockSlow(_: UInt32)
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
    static void *known;
    SWIFT void (*lock)(uint32_t, SELF void *) = original(&known, LOCK);
    lock(thread, handle);
    __tsan_acquire(handle);
}

// Synchronization._MutexHandle._tryLockSlow() -> Bool
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

SWIFT bool try_lock_slow(SELF void *handle) __asm__(TRY_LOCK);
SWIFT bool try_lock_slow(SELF void *handle) {
    static void *known;
    SWIFT bool (*try_lock)(SELF void *) = original(&known, TRY_LOCK);
    bool is_locked = try_lock(handle);
    if (is_locked) __tsan_acquire(handle);
    return is_locked;
}

// Synchronization._MutexHandle._unlockSlow()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *handle) {
    static void *known;
    SWIFT void (*unlock)(SELF void *) = original(&known, UNLOCK);
    __tsan_release(handle);
    unlock(handle);
}

struct initialization {
    void *token;
    void (*body)(void *context);
    void *context;
};

static void initialize(void *context) {
    struct initialization *initialization = context;
    initialization->body(initialization->context);
    __tsan_release(initialization->token);
}

void swift_once(void *token, void (*body)(void *context), void *context) {
    static void *known;
    void (*once)(void *, void (*)(void *), void *) = original(&known, "swift_once");
    struct initialization initialization = {token, body, context};
    once(token, initialize, &initialization);
    __tsan_acquire(token);
}
