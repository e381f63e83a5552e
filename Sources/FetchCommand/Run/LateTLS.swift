import Glibc
import Synchronization

// libcurl starts OpenSSL and libssh2 when it is started itself, which takes 2.4 M instructions: most
// of them read openssl.cnf and the words of errors. The executable's symbols are found before those of
// the libraries, so for this command, and not for every program with URLLoading in it, OpenSSL
// starts with the first TLS connection, or with the first digest. It does so by itself, with its
// configuration, whichever of its functions is called first (OPENSSL_init_crypto(3)).

private typealias Start = @convention(c) (UInt64, OpaquePointer?) -> Int32

/// `OPENSSL_INIT_LOAD_CONFIG`: libcurl's call has it.
private let loadsConfiguration: UInt64 = 0x40
/// `OPENSSL_INIT_LOAD_SSL_STRINGS`: the call has it that libssl makes before it makes a context.
private let loadsWords: UInt64 = 0x20_0000

/// What the calls that were put off have asked for.
private let putOff = Mutex<UInt64>(0)

/// OpenSSL's own.
private let start = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "OPENSSL_init_ssl")
    .map { unsafeBitCast($0, to: Start.self) }

/// Starts OpenSSL, unless it is libcurl that asks.
@_cdecl("OPENSSL_init_ssl")
public func startTLS(_ options: UInt64, _ settings: OpaquePointer?) -> Int32 {
    if options & loadsConfiguration != 0, options & loadsWords == 0, settings == nil {
        putOff.withLock { $0 |= options }
        return 1
    }
    return start.map { $0(putOff.withLock { $0 } | options, settings) } ?? 0
}

/// Starts nothing: no protocol but HTTP is ever spoken.
@_cdecl("libssh2_init")
public func startSSH(_ flags: Int32) -> Int32 { 0 }
