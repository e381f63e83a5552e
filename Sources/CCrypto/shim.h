#pragma once

// OpenSSL's libcrypto, which is in the process already, under libcurl. What is a macro there is a
// function, or a number, here.
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>

// Has OpenSSL leave its memory alone when the process ends; called before anything else of OpenSSL's.
// Its exit handler frees what other threads still have, without a lock: a thread that ends in the
// same moment frees the same memory once more, and the process aborts.
static inline void shim_keep_until_exit(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

// Names as RFC 2253 writes them, letters beyond ASCII as they are.
static const unsigned long shim_name_flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;

static inline GENERAL_NAMES *shim_alternative_names(const X509 *certificate) {
    return X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
static inline int shim_name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline GENERAL_NAME *shim_name(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
static inline void shim_free_names(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }
