#pragma once

// What undoes content codings, and makes the cache's checksums: zlib, brotli and zstd. Debian's libcurl
// has them in the process already; the self-contained edition has zlib within, and loads the others.
// They are not linked with, since three more libraries in front of the others take 0.9 M instructions
// from every start. What a first coded body needs of them is looked up by name, for 0.04 M. These
// headers give the names their types.
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

// Addresses of functions, each named as in its library.
typedef struct {
    void *inflateInit2_;
    void *inflate;
    void *inflateReset;
    void *inflateEnd;
    void *crc32_z;
} shim_zlib;

static inline int shim_inflate_init(const shim_zlib *library, z_stream *stream, int window_bits) {
    return ((__typeof__(&inflateInit2_))library->inflateInit2_)(stream, window_bits, ZLIB_VERSION,
                                                               (int)sizeof(z_stream));
}
static inline int shim_inflate(const shim_zlib *library, z_stream *stream) {
    return ((__typeof__(&inflate))library->inflate)(stream, Z_NO_FLUSH);
}
static inline int shim_inflate_reset(const shim_zlib *library, z_stream *stream) {
    return ((__typeof__(&inflateReset))library->inflateReset)(stream);
}
static inline void shim_inflate_end(const shim_zlib *library, z_stream *stream) {
    ((__typeof__(&inflateEnd))library->inflateEnd)(stream);
}

static inline uint32_t shim_crc32(const shim_zlib *library, uint32_t checksum, const void *bytes,
                                  size_t count) {
    return (uint32_t)((__typeof__(&crc32_z))library->crc32_z)(checksum, bytes, count);
}

typedef struct {
    void *BrotliDecoderCreateInstance;
    void *BrotliDecoderDecompressStream;
    void *BrotliDecoderGetErrorCode;
    void *BrotliDecoderErrorString;
    void *BrotliDecoderDestroyInstance;
} shim_brotli;

static inline BrotliDecoderState *shim_brotli_create(const shim_brotli *library) {
    return ((__typeof__(&BrotliDecoderCreateInstance))library->BrotliDecoderCreateInstance)(
        NULL, NULL, NULL);
}
static inline BrotliDecoderResult shim_brotli_decode(const shim_brotli *library,
                                                     BrotliDecoderState *state, size_t *in_count,
                                                     const uint8_t **in, size_t *out_count,
                                                     uint8_t **out) {
    return ((__typeof__(&BrotliDecoderDecompressStream))library->BrotliDecoderDecompressStream)(
        state, in_count, in, out_count, out, NULL);
}
static inline const char *shim_brotli_error(const shim_brotli *library,
                                            const BrotliDecoderState *state) {
    BrotliDecoderErrorCode code =
        ((__typeof__(&BrotliDecoderGetErrorCode))library->BrotliDecoderGetErrorCode)(state);
    return ((__typeof__(&BrotliDecoderErrorString))library->BrotliDecoderErrorString)(code);
}
static inline void shim_brotli_destroy(const shim_brotli *library, BrotliDecoderState *state) {
    ((__typeof__(&BrotliDecoderDestroyInstance))library->BrotliDecoderDestroyInstance)(state);
}

typedef struct {
    void *ZSTD_createDCtx;
    void *ZSTD_DCtx_setParameter;
    void *ZSTD_decompressStream;
    void *ZSTD_isError;
    void *ZSTD_getErrorName;
    void *ZSTD_freeDCtx;
} shim_zstd;

static inline ZSTD_DCtx *shim_zstd_create(const shim_zstd *library, int greatest_window_log) {
    ZSTD_DCtx *context = ((__typeof__(&ZSTD_createDCtx))library->ZSTD_createDCtx)();
    if (context)
        ((__typeof__(&ZSTD_DCtx_setParameter))library->ZSTD_DCtx_setParameter)(
            context, ZSTD_d_windowLogMax, greatest_window_log);
    return context;
}
static inline size_t shim_zstd_decode(const shim_zstd *library, ZSTD_DCtx *context,
                                      ZSTD_outBuffer *out, ZSTD_inBuffer *in) {
    return ((__typeof__(&ZSTD_decompressStream))library->ZSTD_decompressStream)(context, out, in);
}
// What went wrong; NULL where nothing did.
static inline const char *shim_zstd_error(const shim_zstd *library, size_t code) {
    if (!((__typeof__(&ZSTD_isError))library->ZSTD_isError)(code)) return NULL;
    return ((__typeof__(&ZSTD_getErrorName))library->ZSTD_getErrorName)(code);
}
static inline void shim_zstd_free(const shim_zstd *library, ZSTD_DCtx *context) {
    ((__typeof__(&ZSTD_freeDCtx))library->ZSTD_freeDCtx)(context);
}
