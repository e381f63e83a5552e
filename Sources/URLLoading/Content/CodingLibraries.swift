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
        var library = ProcessLibrary(name)
        let functions = make { library.find($0) }
        return library.isComplete ? CodingLibrary(functions: functions) : nil
    }
}

/// Functions of a C library that this program does not link with on its own account.
///
/// They are in the process already where libcurl uses the library. With a shared libcurl that is a
/// library of its own; with a static one it is within the executable, which then exports it. Only
/// where they are not is the library loaded.
struct ProcessLibrary {
    let name: String
    /// Whether everything that was looked for was there.
    private(set) var isComplete = true
    /// `nil` means the process itself, as `RTLD_DEFAULT` does.
    private var handle: UnsafeMutableRawPointer?

    init(_ name: String) {
        self.name = name
    }

    /// The address of a function; `nil` where the library, or the function, is missing.
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
