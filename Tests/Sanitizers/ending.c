// Lets the tests' process wait before the search for leaks at its end.
//
// A session of the last test closes its connections, and ends its thread, after the test. What it has
// then would be reported as a leak.

#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void wait_for_sessions(void) {
    sleep(5);
}

// The search is registered before this, so it comes after it.
__attribute__((constructor)) static void register_wait(void) {
    if (strstr(program_invocation_short_name, "PackageTests") != NULL) atexit(wait_for_sessions);
}
