#pragma once

// OpenSSL's libcrypto, which is in the process already, under libcurl.
#include <openssl/evp.h>
