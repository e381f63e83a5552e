// What curl_global_init starts, put off. It starts OpenSSL in each process (2.4 M instructions), also where
// no TLS follows. OpenSSL does it by itself when the first of its contexts is made, with the system's
// configuration file as well. The engines that libcurl asks for beside that are added when one of
// them is looked for.
//
// The shared edition's executable comes before libssl for the loader, so that libcurl finds this
// function here. The self-contained edition is linked with --wrap=OPENSSL_init_ssl.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/engine.h>
#include <openssl/ssl.h>

#ifdef FETCH_SELF_CONTAINED
int __real_OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings);
#define OPENSSL_init_ssl __wrap_OPENSSL_init_ssl
int OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings);
#else
static int __real_OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings) {
    __typeof__(&OPENSSL_init_ssl) next =
        (__typeof__(&OPENSSL_init_ssl))dlsym(RTLD_NEXT, "OPENSSL_init_ssl");
    return next ? next(options, settings) : 0;
}

// Debian's libcurl starts libssh2 too, which adds all of OpenSSL's engines (1.0 M instructions). fetch
// knows no protocol that needs it.
int libssh2_init(int flags);
int libssh2_init(int flags) {
    (void)flags;
    return 0;
}
#endif

int OPENSSL_init_ssl(uint64_t options, const OPENSSL_INIT_SETTINGS *settings) {
    // libcurl alone asks for all of them; it does so at the start, and does not look at the result.
    if ((options & OPENSSL_INIT_ENGINE_ALL_BUILTIN) == OPENSSL_INIT_ENGINE_ALL_BUILTIN) return 1;
    return __real_OPENSSL_init_ssl(options, settings);
}
