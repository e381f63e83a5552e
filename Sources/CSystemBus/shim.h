#pragma once

// sd-bus, the D-Bus client of libsystemd and libelogind. It is not linked with: only a run that asks
// a key store has a use for it, and a machine may be without it. Its functions are looked up by name
// when they are needed. They are declared here as in <systemd/sd-bus.h>, which has kept them since
// systemd 245, so building needs no header of its package.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct {
    const char *name;
    const char *message;
    int _need_free;
} sd_bus_error;

// X(result, name, parameters), of each function that is wanted.
#define SHIM_SD_BUS(X)                                                                             \
    X(int, sd_bus_new, (sd_bus * *bus))                                                            \
    X(int, sd_bus_set_address, (sd_bus * bus, const char *address))                                \
    X(int, sd_bus_set_bus_client, (sd_bus * bus, int isClient))                                    \
    X(int, sd_bus_start, (sd_bus * bus))                                                           \
    X(int, sd_bus_is_ready, (sd_bus * bus))                                                        \
    X(int, sd_bus_get_fd, (sd_bus * bus))                                                          \
    X(int, sd_bus_get_events, (sd_bus * bus))                                                      \
    X(int, sd_bus_process, (sd_bus * bus, sd_bus_message * *received))                             \
    X(int, sd_bus_send, (sd_bus * bus, sd_bus_message * message, uint64_t * cookie))               \
    X(sd_bus *, sd_bus_close_unref, (sd_bus * bus))                                                \
    X(int, sd_bus_message_new_method_call,                                                         \
      (sd_bus * bus, sd_bus_message * *message, const char *destination, const char *path,         \
       const char *interface, const char *member))                                                 \
    X(sd_bus_message *, sd_bus_message_unref, (sd_bus_message * message))                          \
    X(int, sd_bus_message_sensitive, (sd_bus_message * message))                                   \
    X(int, sd_bus_message_append_basic, (sd_bus_message * message, char type, const void *value))  \
    X(int, sd_bus_message_append_array,                                                            \
      (sd_bus_message * message, char type, const void *bytes, size_t size))                       \
    X(int, sd_bus_message_open_container,                                                          \
      (sd_bus_message * message, char type, const char *contents))                                 \
    X(int, sd_bus_message_close_container, (sd_bus_message * message))                             \
    X(int, sd_bus_message_get_reply_cookie, (sd_bus_message * message, uint64_t * cookie))         \
    X(const sd_bus_error *, sd_bus_message_get_error, (sd_bus_message * message))                  \
    X(int, sd_bus_message_is_signal,                                                               \
      (sd_bus_message * message, const char *interface, const char *member))                       \
    X(const char *, sd_bus_message_get_path, (sd_bus_message * message))                           \
    X(int, sd_bus_message_at_end, (sd_bus_message * message, int isComplete))                      \
    X(int, sd_bus_message_peek_type,                                                               \
      (sd_bus_message * message, char *type, const char **contents))                               \
    X(int, sd_bus_message_enter_container,                                                         \
      (sd_bus_message * message, char type, const char *contents))                                 \
    X(int, sd_bus_message_exit_container, (sd_bus_message * message))                              \
    X(int, sd_bus_message_read_basic, (sd_bus_message * message, char type, void *value))          \
    X(int, sd_bus_message_read_array,                                                              \
      (sd_bus_message * message, char type, const void **bytes, size_t *size))                     \
    X(int, sd_bus_message_skip, (sd_bus_message * message, const char *types))

#define SHIM_SD_BUS_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;
#define SHIM_SD_BUS_LOAD(result, function, parameters)                                             \
    if (!(functions->function = (result(*) parameters)dlsym(library, #function))) return 0;

typedef struct {
    SHIM_SD_BUS(SHIM_SD_BUS_MEMBER)
} shim_sd_bus;

// Fills in the functions; false where the library, or one of them, is missing. It stays loaded.
static inline _Bool shim_sd_bus_load(shim_sd_bus *functions, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    SHIM_SD_BUS(SHIM_SD_BUS_LOAD)
    return 1;
}
