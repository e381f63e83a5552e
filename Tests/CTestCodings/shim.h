#pragma once

// The coders of the libraries whose decoders are under test.
#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

// Deflates a whole buffer in the wrapping that `window_bits` names; 0 where there is no room.
static inline size_t coder_deflate(int window_bits, int level, const uint8_t *in, size_t count,
                                   uint8_t *out, size_t room) {
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    stream.next_in = (Bytef *)in;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    int status = deflate(&stream, Z_FINISH);
    size_t made = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? made : 0;
}

// The same for brotli. Quality 9 at the most: 10 and 11 take seconds for a few MiB.
static inline size_t coder_brotli(int window_bits, const uint8_t *in, size_t count, uint8_t *out,
                                  size_t room) {
    size_t made = room;
    return BrotliEncoderCompress(5, window_bits, BROTLI_MODE_GENERIC, count, in, &made, out) ? made
                                                                                            : 0;
}

// The same for zstd, with a checksum.
static inline size_t coder_zstd(int window_log, const uint8_t *in, size_t count, uint8_t *out,
                                size_t room) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    if (window_log) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    // Streamed: a frame that says its length needs no window of its own.
    ZSTD_outBuffer output = {out, room, 0};
    ZSTD_inBuffer input = {in, count, 0};
    while (input.pos < input.size) {
        ZSTD_inBuffer piece = {(const char *)in + input.pos,
                               input.size - input.pos < 65536 ? input.size - input.pos : 65536, 0};
        if (ZSTD_isError(ZSTD_compressStream2(context, &output, &piece, ZSTD_e_continue))) break;
        if (!piece.pos) break;
        input.pos += piece.pos;
    }
    ZSTD_inBuffer none = {NULL, 0, 0};
    size_t left = ZSTD_compressStream2(context, &output, &none, ZSTD_e_end);
    ZSTD_freeCCtx(context);
    return left == 0 ? output.pos : 0;
}
