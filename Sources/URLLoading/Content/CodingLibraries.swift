import CCodings
import Glibc

/// The libraries that undo codings; `nil` where one is not there.
enum CodingLibraries {
    static let zlib = CodingLibrary.symbols(ContentCoding.gzip.library) { find in
        shim_zlib(
            inflateInit2_: find("inflateInit2_"),
            inflate: find("inflate"),
            inflateReset: find("inflateReset"),
            inflateEnd: find("inflateEnd"),
            crc32_z: find("crc32_z")
        )
    }

    static let brotli = CodingLibrary.symbols(ContentCoding.br.library) { find in
        shim_brotli(
            BrotliDecoderCreateInstance: find("BrotliDecoderCreateInstance"),
            BrotliDecoderDecompressStream: find("BrotliDecoderDecompressStream"),
            BrotliDecoderGetErrorCode: find("BrotliDecoderGetErrorCode"),
            BrotliDecoderErrorString: find("BrotliDecoderErrorString"),
            BrotliDecoderDestroyInstance: find("BrotliDecoderDestroyInstance")
        )
    }

    static let zstd = CodingLibrary.symbols(ContentCoding.zstd.library) { find in
        shim_zstd(
            ZSTD_createDCtx: find("ZSTD_createDCtx"),
            ZSTD_DCtx_setParameter: find("ZSTD_DCtx_setParameter"),
            ZSTD_decompressStream: find("ZSTD_decompressStream"),
            ZSTD_isError: find("ZSTD_isError"),
            ZSTD_getErrorName: find("ZSTD_getErrorName"),
            ZSTD_freeDCtx: find("ZSTD_freeDCtx")
        )
    }
}

/// The functions of a library that undoes codings, looked up when the first body needs them.
// Unchecked: addresses in a library that is never unloaded; nothing changes them.
struct CodingLibrary<Functions>: @unchecked Sendable {
    let functions: Functions
}

extension CodingLibrary {
    /// `nil` where the library is not there, or lacks one of them.
    static func symbols(
        _ name: String,
        _ make: ((String) -> UnsafeMutableRawPointer?) -> Functions
    ) -> CodingLibrary? {
        guard let library = dlopen(name, RTLD_NOW) else { return nil }
        var isComplete = true
        let functions = make { name in
            let address = dlsym(library, name)
            if address == nil { isComplete = false }
            return address
        }
        return isComplete ? CodingLibrary(functions: functions) : nil
    }
}
