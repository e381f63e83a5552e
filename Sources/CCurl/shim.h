#pragma once

// libcurl as Swift sees it. Only what Swift cannot call is here: the variadic functions, once
// for each type of argument, the masks that are macros, and what libcurl calls for memory.
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// malloc for libcurl: A block as large as a transfer's buffer begins 32 bytes into a page. malloc
// maps it for itself and begins 16 bytes in. On AMD Zen 3, `rep movsb` takes four times as long
// from the beginning of a page to an offset of 1 to 31. The page cache and pipes hand out whole
// pages. A chunked body is read to 10 bytes further on.
static inline void *shim_allocate(size_t size) {
    void *memory;
    if (size < 64u << 10) return malloc(size);
    return posix_memalign(&memory, 32, size) == 0 ? memory : NULL;
}

// If the process has initialized libcurl before, libcurl keeps its allocator.
static inline CURLcode shim_global_init(void) {
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, shim_allocate, free, realloc, strdup, calloc);
}

// curl_easy_setopt is variadic; the option's own number says which of these fits it.
static inline CURLcode shim_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode shim_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode shim_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode shim_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// Masks that are macros with casts in them.
static const long shim_auth_ntlm = CURLAUTH_NTLM;
static const long shim_auth_negotiate = CURLAUTH_NEGOTIATE;

// The callbacks, each with libcurl's own prototype, so that Swift's compiler checks the closure.
static inline CURLcode shim_setopt_data_callback(CURL *handle, CURLoption option,
                                                 curl_write_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}
static inline CURLcode shim_setopt_seek_callback(CURL *handle, curl_seek_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}
static inline CURLcode shim_setopt_sockopt_callback(CURL *handle, curl_sockopt_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, callback);
}
static inline CURLcode shim_setopt_opensocket_callback(CURL *handle,
                                                       curl_opensocket_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode shim_setopt_progress_callback(CURL *handle,
                                                     curl_xferinfo_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}
static inline CURLcode shim_setopt_debug_callback(CURL *handle, curl_debug_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}
static inline CURLcode shim_setopt_prereq_callback(CURL *handle, curl_prereq_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}
static inline CURLcode shim_setopt_resolver_start_callback(CURL *handle,
                                                           curl_resolver_start_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, callback);
}
static inline CURLcode shim_setopt_ssl_context_callback(CURL *handle,
                                                        curl_ssl_ctx_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// curl_easy_getinfo is variadic too.
static inline CURLcode shim_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode shim_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode shim_getinfo_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode shim_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}
// The SSL of the connection that a transfer has; NULL where it has none.
static inline void *shim_getinfo_ssl(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

// curl_multi_setopt is variadic.
static inline CURLMcode shim_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// CURLMsg keeps its result in a union, which Swift imports without its members' names.
static inline CURLcode shim_message_result(const CURLMsg *message) { return message->data.result; }
