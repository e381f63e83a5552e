import CSSL
import Glibc
import HTTPSemantics
import SystemPackage

/// A file of trusted certificates in PEM form; OpenSSL parses only the certificates that it asks for.
///
/// OpenSSL takes 1.3 M instructions to parse one certificate, and a system's bundle has 140. So we
/// split the file into its certificates, and note a key of each name (see ``CertificateShape``).
/// OpenSSL asks for issuers by name, as it does with a folder of hashed names.
///
/// The verdict is the same as with the whole file. We pass all certificates of a name to OpenSSL in the
/// file's order, and OpenSSL alone compares names, keys and signatures. A file that OpenSSL would read
/// differently, or refuse, is not a bundle: libcurl then loads it, with its own errors.
///
/// Only a loop's thread may use it; the connections that search it belong to the same thread.
final class CertificateBundle {
    /// The maximum size of a file; a system's bundle has 200 KiB.
    private static let maximumBytes = 16 << 20

    /// One certificate of the file.
    private struct Entry {
        /// The key of the subject's name; `nil` if it may match any name.
        let key: UInt64?
        /// The range of its base64 lines.
        let text: Range<Int>
    }

    /// The file's path, as the request names it.
    private let path: String
    private let text: [UInt8]
    private var entries: [Entry] = []
    /// The certificates that OpenSSL has parsed, by their index in the file.
    private var parsed: [Int: OpaquePointer] = [:]

    /// Reads a file; `nil` if we cannot read it, or if OpenSSL might refuse a part of it.
    convenience init?(path: String) {
        guard let text = Self.read(path) else { return nil }
        self.init(path: path, text)
    }

    /// Splits a file's text; the path distinguishes the connections that use the bundle.
    init?(path: String, _ text: [UInt8]) {
        self.path = path
        self.text = text
        guard text.withUnsafeBytes({ split($0) }), !entries.isEmpty else { return nil }
    }

    deinit {
        for certificate in parsed.values { X509_free(certificate) }
    }

    /// The number of certificates in the file.
    var count: Int { entries.count }

    /// The value that replaces the file, beside a folder of the request, as libcurl's `CURLOPT_CAPATH`.
    ///
    /// libcurl reuses a connection only if that option is equal, and shares no parsed certificates if it
    /// is set. No such folder can exist: the path continues after a regular file.
    func folderName(beside folder: String?) -> String { "\(path)/\(folder ?? "")" }

    private static func read(_ path: String) -> [UInt8]? {
        // A colon would split the name above into two folders. We do not open a pipe, since its writer
        // would mistake us for libcurl.
        guard !path.utf8.contains(UInt8(ascii: ":")), FileVersion(path) != nil,
            let file = try? FileDescriptor.open(
                path,
                .readOnly,
                options: [.closeOnExec, .nonBlocking]
            )
        else { return nil }
        defer { try? file.close() }
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...maximumBytes).contains(Int(status.st_size))
        else { return nil }
        let size = Int(status.st_size)
        let text = [UInt8](unsafeUninitializedCapacity: size) { space, count in
            while count < size,
                let taken = try? file.read(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(space)[count...]
                    )
                ), taken > 0
            {
                count += taken
            }
        }
        return text.count == size ? text : nil
    }

    /// Notes the certificates of the file; `false` if the file has other content that OpenSSL would
    /// process.
    private func split(_ text: UnsafeRawBufferPointer) -> Bool {
        // OpenSSL ends a line at a NUL.
        guard let base = text.baseAddress, memchr(base, 0, text.count) == nil else { return false }
        var decoder = PEMDecoder()
        var start: Int?
        var position = 0
        while position < text.count {
            let rest = text.count - position
            let newline = memchr(base + position, 0x0A, rest)
            var end = newline.map { UnsafeRawPointer($0) - base } ?? text.count
            let next = end + 1
            if end > position, text[end - 1] == 0x0D { end -= 1 }
            let line = UnsafeRawBufferPointer(rebasing: text[position..<end])
            // OpenSSL splits a line of 254 bytes and more into several.
            guard line.count <= 250 else { return false }
            if line.first == UInt8(ascii: "-") && line.starts(with: PEMDecoder.dashes) {
                if let begun = start, line.elementsEqual(PEMDecoder.end) {
                    let shape = decoder.finish()?.withUnsafeBytes { CertificateShape($0) }
                    guard let shape else { return false }
                    entries.append(Entry(key: shape.subjectKey, text: begun..<position))
                    start = nil
                } else if start == nil, line.elementsEqual(PEMDecoder.begin) {
                    decoder.begin()
                    start = next
                } else {
                    return false
                }
            } else if start != nil {
                guard !line.isEmpty, decoder.take(line) else { return false }
            } else if position == 0, line.first == 0xEF {
                // A byte order mark would hide a marker after it.
                return false
            }
            position = next
        }
        return start == nil
    }
}

// Looks certificates up.
extension CertificateBundle {
    // Unchecked: we make OpenSSL's method once, and no thread changes it later, so all threads share it.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = X509_LOOKUP_meth_new("certificate bundle")
        X509_LOOKUP_meth_set_get_by_subject(method, onLookUp)
        X509_LOOKUP_meth_set_free(method, onLeave)
        return method
    }()

    /// Makes OpenSSL search this bundle, and then a folder of hashed names; `false`: not enough memory.
    func attach(to context: OpaquePointer, beside folder: String?) -> Bool {
        guard let folder else { return add(to: SSL_CTX_get_cert_store(context)) }
        // OpenSSL asks a method after those that libcurl has added, so we need a new store.
        let given = SSL_CTX_get_cert_store(context)
        guard let store = X509_STORE_new() else { return false }
        SSL_CTX_set_cert_store(context, store)
        return X509_STORE_set1_param(store, X509_STORE_get0_param(given)) == 1 && add(to: store)
            && X509_STORE_load_path(store, folder) == 1
    }

    private func add(to store: OpaquePointer?) -> Bool {
        guard let lookup = X509_STORE_add_lookup(store, Self.method) else { return false }
        // The store keeps one lookup per method.
        guard X509_LOOKUP_get_method_data(lookup) == nil else { return true }
        return X509_LOOKUP_set_method_data(lookup, Unmanaged.passRetained(self).toOpaque()) == 1
    }

    /// Adds all certificates of a name to a store, and returns the first, which the store owns.
    fileprivate func add(_ name: OpaquePointer, to store: OpaquePointer) -> OpaquePointer? {
        guard let wanted = Handshake.bytes({ i2d_X509_NAME(name, $0) }) else { return nil }
        let key = wanted.withUnsafeBytes { CertificateShape.key(ofName: $0) }
        var first: OpaquePointer?
        for (index, entry) in entries.enumerated() {
            if let key, let other = entry.key, key != other { continue }
            guard let certificate = certificate(index),
                X509_NAME_cmp(name, X509_get_subject_name(certificate)) == 0
            else { continue }
            guard X509_STORE_add_cert(store, certificate) == 1 else { return nil }
            first = first ?? certificate
        }
        return first
    }

    private func certificate(_ index: Int) -> OpaquePointer? {
        if let certificate = parsed[index] { return certificate }
        var decoder = PEMDecoder()
        decoder.begin()
        for line in text[entries[index].text].split(whereSeparator: \.isLineEnd) {
            _ = line.withUnsafeBytes { decoder.take($0) }
        }
        let certificate = decoder.finish()?.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        parsed[index] = certificate
        return certificate
    }
}

private let onLookUp: X509_LOOKUP_get_by_subject_fn = { lookup, kind, name, found in
    guard kind == X509_LU_X509, let lookup, let name, let store = X509_LOOKUP_get_store(lookup),
        let owner = X509_LOOKUP_get_method_data(lookup)
    else { return 0 }
    let bundle = Unmanaged<CertificateBundle>.fromOpaque(owner).takeUnretainedValue()
    guard let certificate = bundle.add(name, to: store),
        X509_OBJECT_set1_X509(found, certificate) == 1
    else { return 0 }
    // OpenSSL takes its own reference: X509_LOOKUP_meth_new(3).
    X509_free(certificate)
    return 1
}

private let onLeave: @convention(c) (OpaquePointer?) -> Void = { lookup in
    guard let owner = X509_LOOKUP_get_method_data(lookup) else { return }
    Unmanaged<CertificateBundle>.fromOpaque(owner).release()
}

/// The bundles that a loop's transfers name.
struct CertificateBundles {
    /// The lifetime of a reading: as long as libcurl keeps its parsed certificates
    /// (CURLOPT_CA_CACHE_TIMEOUT(3)).
    private static let lifetime: Duration = .seconds(24 * 60 * 60)

    private struct Reading {
        let bundle: CertificateBundle?
        let end: MonotonicInstant
        /// The version of the file before we read it.
        let version: FileVersion?
    }

    private var readings: [String: Reading] = [:]

    /// The bundle that a request trusts; `nil` if libcurl must load the files, or if TLS verifies no
    /// peer.
    mutating func bundle(
        for request: borrowing TransferRequest,
        _ now: MonotonicInstant
    ) -> CertificateBundle? {
        guard request.isSecure && request.tls.verifiesServer || request.connection.proxy != nil
        else { return nil }
        let options = request.tls
        // With a revocation list, we let libcurl parse everything.
        guard let path = options.certificateAuthorityFile, options.revocationListFile == nil,
            options.certificateAuthorityFolder?.utf8.contains(UInt8(ascii: ":")) != true
        else { return nil }
        // With a folder, libcurl caches no parsed certificates: it reads a changed file again, and so do we.
        let version = options.certificateAuthorityFolder == nil ? nil : FileVersion(path)
        if let reading = readings[path], now < reading.end,
            options.certificateAuthorityFolder == nil || reading.version == version
        {
            return reading.bundle
        }
        let bundle = CertificateBundle(path: path)
        readings[path] = Reading(bundle: bundle, end: now + Self.lifetime, version: version)
        return bundle
    }
}

/// Identifies a regular file and its content at one time.
private struct FileVersion: Equatable {
    private let numbers: [Int]

    /// Reads the file's metadata; `nil` if it is not a regular file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        numbers = [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
            Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}
