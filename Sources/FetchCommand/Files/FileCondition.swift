import CLinux
import FoundationEssentials
import Glibc
import URLLoading

/// The condition by which a server is asked whether its file differs from the existing one ([RFC
/// 9110 §13.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1)).
struct FileCondition: Equatable {
    /// The tag as it came; compared weakly, so a weak one will do.
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    /// Whether only the file's time is known.
    var isUnproven = false

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - path: the file; `nil` comes of one that is not there, or is another URL's.
    ///   - url: the URL, as resume data has it.
    init?(of path: String, url: String) {
        guard let status = FileStatus(path) else { return nil }
        let stored = StoredValidator(of: path)
        if let stored, stored.describes(status) {
            guard stored.isOf(url) else { return nil }
            ifNoneMatch = stored.entityTag
            ifModifiedSince = stored.lastModified
        } else {
            // Another program has made or changed it: its time is all that there is to ask by.
            ifModifiedSince = HTTPDate.text(status.modified)
            isUnproven = true
        }
    }

    /// The fields to send; a server that has the tag does not look at the date.
    var fields: [(name: String, value: String)] {
        [("If-None-Match", ifNoneMatch), ("If-Modified-Since", ifModifiedSince)].compactMap {
            name,
            value in value.map { (name, $0) }
        }
    }
}

/// The server's validator when the file was saved, in an extended attribute of the file:
/// `user.fetch.validator`, small JSON.
///
/// It counts only for the file that it was written for. What the user has changed since, or has
/// made a copy of under another time, is not taken for the server's. The URL is there as its digest:
/// one may hold a secret, and the file may be given away with all its attributes.
struct StoredValidator: Codable, Equatable {
    /// The attribute's name.
    static let attribute = "user.fetch.validator"
    /// Bytes; less than any file system allows.
    private static let sizeLimit = 2 << 10

    /// The SHA-256 of the URL, without user, password and fragment.
    let url: String
    /// The ETag as it came: strong or weak.
    let entityTag: String?
    /// The Last-Modified as it came.
    let lastModified: String?
    /// Of the file, bytes.
    var size: Int64
    /// Of the file, nanoseconds since 1970.
    var modified: Int64

    /// - Parameters:
    ///   - url: as resume data has it.
    ///   - fields: the response's; `nil` comes of those that have nothing to ask by.
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

    /// Whether the file has not changed since.
    func describes(_ status: FileStatus) -> Bool {
        size == status.size && modified == status.identity.modified
    }

    /// Whether it belongs to a URL, in the form of resume data.
    func isOf(_ url: String) -> Bool {
        self.url == Self.digest(of: url)
    }

    /// Writes it to a file with its final size and time.
    ///
    /// A file system may not support it; the file is valid without it.
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

    /// Whether it can be in a header: others may have written the attribute.
    private static func isClean(_ text: String) -> Bool {
        !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

/// The entity tag of what was fetched, in a file of its own, as curl keeps it: one line, or nothing
/// where the server has given none.
enum EntityTagFile {
    /// Bytes; more is no tag that a server takes back in a field.
    private static let sizeLimit = 16 << 10

    /// The tag that `--etag-compare` names.
    ///
    /// - Returns: the tag; `nil` without one. curl sends an empty tag then, which a server might have.
    /// - Throws: where the file cannot be read, or has something else in it. It may be missing where
    ///   it is going to be written.
    static func tag(_ options: Options) throws(FileFailure) -> String? {
        guard let path = options.entityTagInput else { return nil }
        if options.entityTagOutput != nil, !FileFacts.exists(path) { return nil }
        let bytes = try FileContent.bytes(of: path, limit: sizeLimit)
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { !$0.allSatisfy(isBlank) }) else { return nil }
        var word = line.drop(while: isBlank)
        while let last = word.last, isBlank(last) { word.removeLast() }
        guard let tag = String(validating: word, as: UTF8.self), EntityValidator.isTag(tag) else {
            throw FileFailure(
                path: path,
                reason: .invalid("contains no entity tag (\"TEXT\" or W/\"TEXT\")")
            )
        }
        return tag
    }

    /// Whether a tag can be kept as text, and sent again as it came: a field's bytes beyond ASCII are of
    /// no known coding.
    private static func canBeAskedBy(_ tag: String) -> Bool {
        EntityValidator.isTag(tag) && tag.utf8.count < sizeLimit
            && tag.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Replaces a file by one that has the tag of a response.
    ///
    /// - Parameters:
    ///   - tag: what the server has said; what is no tag counts as none.
    ///   - place: the file, or a device.
    ///   - streams: what must not be touched.
    /// - Throws: what making a file does; `OutputClosed` where nothing reads a FIFO any more.
    static func write(
        _ tag: String?,
        to place: Destination,
        besides streams: StreamFiles
    ) throws {
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
