// GSSAPI for the self-contained edition: what libcurl calls for Negotiate, passed on to the system's
// library, which is loaded when a server first asks for it. Where there is none, each call fails and
// gss_display_status says so.
#include <dlfcn.h>
#include <gssapi/gssapi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libgssapi_krb5.so.2"

// The minor status of a call that found no library.
enum { MISSING = 0x66657463 };

// RFC 2744 gives its bytes; in the library this is a variable.
static gss_OID_desc host_based_service = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
gss_OID GSS_C_NT_HOSTBASED_SERVICE = &host_based_service;

static void *library;

static void load(void) { library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL); }

static void *find(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library ? dlsym(library, name) : NULL;
}

#define PASS_ON(name, minor, ...)                                                                  \
    __typeof__(&name) function = (__typeof__(&name))find(#name);                                   \
    if (function) return function(minor, __VA_ARGS__);                                             \
    *(minor) = MISSING;                                                                            \
    return GSS_S_UNAVAILABLE

OM_uint32 gss_import_name(OM_uint32 *minor, gss_buffer_t text, gss_OID type, gss_name_t *name) {
    PASS_ON(gss_import_name, minor, text, type, name);
}

OM_uint32 gss_init_sec_context(OM_uint32 *minor, gss_cred_id_t credential, gss_ctx_id_t *context,
                               gss_name_t target, gss_OID mechanism, OM_uint32 flags,
                               OM_uint32 time, gss_channel_bindings_t bindings, gss_buffer_t input,
                               gss_OID *actual_mechanism, gss_buffer_t output,
                               OM_uint32 *actual_flags, OM_uint32 *actual_time) {
    PASS_ON(gss_init_sec_context, minor, credential, context, target, mechanism, flags, time,
            bindings, input, actual_mechanism, output, actual_flags, actual_time);
}

OM_uint32 gss_inquire_context(OM_uint32 *minor, gss_ctx_id_t context, gss_name_t *source,
                              gss_name_t *target, OM_uint32 *lifetime, gss_OID *mechanism,
                              OM_uint32 *flags, int *is_initiator, int *is_open) {
    PASS_ON(gss_inquire_context, minor, context, source, target, lifetime, mechanism, flags,
            is_initiator, is_open);
}

OM_uint32 gss_delete_sec_context(OM_uint32 *minor, gss_ctx_id_t *context, gss_buffer_t output) {
    PASS_ON(gss_delete_sec_context, minor, context, output);
}

OM_uint32 gss_display_name(OM_uint32 *minor, gss_name_t name, gss_buffer_t text, gss_OID *type) {
    PASS_ON(gss_display_name, minor, name, text, type);
}

OM_uint32 gss_release_name(OM_uint32 *minor, gss_name_t *name) {
    PASS_ON(gss_release_name, minor, name);
}

OM_uint32 gss_wrap(OM_uint32 *minor, gss_ctx_id_t context, int is_secret, gss_qop_t quality,
                   gss_buffer_t input, int *was_secret, gss_buffer_t output) {
    PASS_ON(gss_wrap, minor, context, is_secret, quality, input, was_secret, output);
}

OM_uint32 gss_unwrap(OM_uint32 *minor, gss_ctx_id_t context, gss_buffer_t input,
                     gss_buffer_t output, int *was_secret, gss_qop_t *quality) {
    PASS_ON(gss_unwrap, minor, context, input, output, was_secret, quality);
}

// Without the library, the only words there are to show, and to free, are these.
OM_uint32 gss_display_status(OM_uint32 *minor, OM_uint32 status, int type, gss_OID mechanism,
                             OM_uint32 *more, gss_buffer_t text) {
    __typeof__(&gss_display_status) function =
        (__typeof__(&gss_display_status))find("gss_display_status");
    if (function) return function(minor, status, type, mechanism, more, text);
    *minor = 0;
    *more = 0;
    text->value = strdup(type == GSS_C_GSS_CODE ? "Kerberos is not installed"
                                                : "there is no " LIBRARY);
    text->length = text->value ? strlen(text->value) : 0;
    return text->value ? GSS_S_COMPLETE : GSS_S_FAILURE;
}

OM_uint32 gss_release_buffer(OM_uint32 *minor, gss_buffer_t buffer) {
    __typeof__(&gss_release_buffer) function =
        (__typeof__(&gss_release_buffer))find("gss_release_buffer");
    if (function) return function(minor, buffer);
    *minor = 0;
    free(buffer->value);
    *buffer = (gss_buffer_desc)GSS_C_EMPTY_BUFFER;
    return GSS_S_COMPLETE;
}
