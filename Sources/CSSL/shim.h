#pragma once

// OpenSSL's libssl as libcurl's callbacks show it: what is a macro there is a function here.
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// A place in each SSL_CTX for a thing of ours; `free` is called with it when the context goes.
static inline int shim_context_index(CRYPTO_EX_free *free) {
    return CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, NULL, NULL, NULL, free);
}

static const uint64_t shim_no_empty_fragments = SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS;

// A write that is not done: it is to be tried again, or never.
static inline void shim_write_later(BIO *bio) {
    BIO_clear_retry_flags(bio);
    BIO_set_retry_write(bio);
}
static inline void shim_write_never(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline int shim_certificate_count(const STACK_OF(X509) *chain) { return sk_X509_num(chain); }
static inline X509 *shim_certificate(const STACK_OF(X509) *chain, int index) {
    return sk_X509_value(chain, index);
}
static inline int shim_name_count(const STACK_OF(X509_NAME) *names) {
    return sk_X509_NAME_num(names);
}
static inline X509_NAME *shim_name(const STACK_OF(X509_NAME) *names, int index) {
    return sk_X509_NAME_value(names, index);
}
