import CLinux
import FoundationEssentials
import Glibc
import URLLoading

/// A condition that lets the server compare its file with the existing one ([RFC 9110
/// §13.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1)).
struct FileCondition: Equatable {
    /// The stored entity tag; the comparison is weak, so a weak tag suffices.
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    /// Whether the condition has only the file's modification time.
    var isUnproven = false

    /// Examines a file; `nil` if it is missing, or belongs to another URL (in resume data's form).
    init?(of path: String, url: String) {
        guard let status = FileStatus(path) else { return nil }
        let stored = StoredValidator(of: path)
        if let stored, stored.describes(status) {
            guard stored.isOf(url) else { return nil }
            ifNoneMatch = stored.entityTag
            ifModifiedSince = stored.lastModified
        } else {
            // Another program created or changed the file, so only its modification time is known.
            ifModifiedSince = HTTPDate.text(status.modified)
            isUnproven = true
        }
    }

    /// Adds the condition to a request; a server that supports entity tags ignores the date.
    func add(to request: inout URLRequest) {
        if let ifNoneMatch {
            request.setValue(ifNoneMatch, forHTTPHeaderField: "If-None-Match")
        }
        if let ifModifiedSince {
            request.setValue(ifModifiedSince, forHTTPHeaderField: "If-Modified-Since")
        }
    }
}

/// The server's validator for a saved file, as small JSON in the extended attribute
/// `user.fetch.validator`.
///
/// It is valid only while the file is unchanged: a file that the user edited, or copied with
/// another time, does not match. The URL is stored as a digest, because URLs may contain secrets
/// and the file may be passed on with its attributes.
struct StoredValidator: Codable, Equatable {
    static let attribute = "user.fetch.validator"
    /// In bytes; less than any file system's limit.
    private static let sizeLimit = 2 << 10

    /// The SHA-256 of the URL, without user, password and fragment.
    let url: String
    /// The response's ETag as received: strong or weak.
    let entityTag: String?
    /// The response's Last-Modified as received.
    let lastModified: String?
    /// The file's size in bytes.
    var size: Int64
    /// The file's modification time in nanoseconds since 1970.
    var modified: Int64

    /// `nil` if the fields have no validator; the URL has resume data's form.
    init?(_ url: String, _ fields: HTTPHeaderFields) {
        guard let digest = Self.digest(of: url) else { return nil }
        entityTag = fields.first("ETag")
        lastModified = fields.first("Last-Modified")
        guard entityTag != nil || lastModified != nil else { return nil }
        self.url = digest
        size = 0
        modified = 0
    }

    /// Reads a file's attribute; `nil` if there is none, or it is invalid.
    init?(of path: String) {
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
        let count = linux_get_attribute(path, Self.attribute, &bytes, bytes.count)
        guard count > 0,
            let stored = try? JSONDecoder().decode(Self.self, from: Data(bytes.prefix(count))),
            [stored.entityTag, stored.lastModified].allSatisfy({ $0.map(Self.isClean) ?? true })
        else { return nil }
        self = stored
    }

    /// Whether the file is unchanged since the attribute was written.
    func describes(_ status: FileStatus) -> Bool {
        size == status.size && modified == status.identity.modified
    }

    /// Whether the validator belongs to a URL, given in resume data's form.
    func isOf(_ url: String) -> Bool { self.url == Self.digest(of: url) }

    /// Writes the attribute to a final file; a file system without attributes is no error.
    func write(to descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        var complete = self
        complete.size = Int64(status.st_size)
        complete.modified = status.st_mtim.nanoseconds
        guard let bytes = try? JSONEncoder().encode(complete), bytes.count <= Self.sizeLimit else {
            return
        }
        _ = bytes.withUnsafeBytes {
            linux_set_attribute(descriptor, Self.attribute, $0.baseAddress, $0.count)
        }
    }

    private static func digest(of url: String) -> String? {
        MessageDigest.hex(url.utf8, by: .sha256)
    }

    /// Whether a value is valid in a header field: other users may have written the attribute.
    private static func isClean(_ text: String) -> Bool {
        !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

/// An entity tag in a file, as curl stores it: one line, or nothing if the server sent none.
enum EntityTagFile {
    /// In bytes; no server accepts a longer field.
    private static let sizeLimit = 16 << 10

    /// The tag of `--etag-compare`; `nil` if there is none.
    ///
    /// curl then sends an empty tag, which a server might use. Throws if the file cannot be read,
    /// or contains something else. It may be missing if `--etag-save` is going to write one.
    static func tag(_ options: Options) throws(UsageError) -> String? {
        guard let path = options.entityTagInput else { return nil }
        if options.entityTagOutput != nil, !FileFacts.exists(path) { return nil }
        let bytes = try FileContent.bytes(of: path, limit: sizeLimit)
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
        let words = bytes.split(separator: UInt8(ascii: "\n")).map { $0.trimming(isBlank) }
        guard let word = words.first(where: { !$0.isEmpty }) else { return nil }
        guard let tag = String(validating: word, as: UTF8.self), EntityValidator.isTag(tag) else {
            throw .file(path: path, "contains no entity tag (\"TEXT\" or W/\"TEXT\")")
        }
        return tag
    }

    /// Whether a tag can be sent unchanged; the encoding of bytes beyond ASCII is unknown.
    private static func canBeAskedBy(_ tag: String) -> Bool {
        EntityValidator.isTag(tag) && tag.utf8.count < sizeLimit
            && tag.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Replaces a file's tag; throws errors of its creation, and `OutputClosed` of a FIFO.
    static func write(_ tag: String?, to place: Destination, besides streams: StreamFiles) throws {
        let line = tag.flatMap { canBeAskedBy($0) ? Data("\($0)\n".utf8) : nil } ?? Data()
        switch place {
        case .file(let file), .automatic(let file):
            _ = try file.write(line, besides: streams.excluding(file.path))
        case .device(let path):
            let output = try OutputDescriptor(opening: path)
            defer { output.close() }
            try line.withUnsafeBytes { try output.write($0) }
        case .standardOutput: break
        }
    }
}
