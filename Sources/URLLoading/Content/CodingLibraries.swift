import CCodings
import Glibc

/// The decoding libraries; `nil` where one is missing.
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

/// The functions of a decoding library, looked up when a body first needs them.
// Unchecked: addresses in a library that is never unloaded; they never change.
struct CodingLibrary<Functions>: @unchecked Sendable {
    let functions: Functions
}

extension CodingLibrary {
    /// `nil` where the library or one of the functions is missing.
    static func symbols(
        _ name: String,
        _ make: ((String) -> UnsafeMutableRawPointer?) -> Functions
    ) -> CodingLibrary? {
        var library = ProcessLibrary(name)
        let functions = make { library.find($0) }
        return library.isComplete ? CodingLibrary(functions: functions) : nil
    }
}

/// Functions of a C library that this program does not link against directly.
///
/// If libcurl uses the library, its functions are already in the process. A shared libcurl has loaded the
/// library; a static libcurl has it in the executable, which exports the functions. Otherwise we load the
/// library here.
struct ProcessLibrary {
    let name: String
    /// Whether the library has all requested functions.
    private(set) var isComplete = true
    /// `nil` means the process itself, as `RTLD_DEFAULT`.
    private var handle: UnsafeMutableRawPointer?

    init(_ name: String) {
        self.name = name
    }

    /// The address of a function; `nil` where the library or the function is missing.
    mutating func find(_ function: String) -> UnsafeMutableRawPointer? {
        if let address = dlsym(handle, function) { return address }
        if handle == nil {
            handle = dlopen(name, RTLD_NOW)
            if let handle, let address = dlsym(handle, function) { return address }
        }
        isComplete = false
        return nil
    }
}
