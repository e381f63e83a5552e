import CLinux
import FoundationEssentials
import Glibc
import URLLoading

/// What the server's file was known by when it was saved, kept in an extended attribute of the file
/// itself: `user.fetch.validator`, small JSON.
///
/// It counts only for the file that it was written for, so what somebody has changed since, or has
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
    ///   - fields: the answer's; `nil` comes of those that have nothing to ask by.
    init?(_ url: String, _ fields: HTTPHeaderFields) {
        guard let digest = Self.digest(of: url) else { return nil }
        entityTag = fields.first("ETag")
        lastModified = fields.first("Last-Modified")
        guard entityTag != nil || lastModified != nil else { return nil }
        self.url = digest
        size = 0
        modified = 0
    }

    /// Reads what was kept with a file; `nil` where there is nothing, or nothing that makes sense.
    init?(of path: String) {
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
        let count = linux_get_attribute(path, Self.attribute, &bytes, bytes.count)
        guard count > 0,
            let stored = try? JSONDecoder().decode(Self.self, from: Data(bytes.prefix(count))),
            [stored.entityTag, stored.lastModified].allSatisfy({ $0.map(Self.isClean) ?? true })
        else { return nil }
        self = stored
    }

    /// Whether it was written for the file as it is.
    func describes(_ status: FileStatus) -> Bool {
        size == status.size && modified == status.identity.modified
    }

    /// Whether it speaks of a URL, as resume data has that.
    func isOf(_ url: String) -> Bool {
        self.url == Self.digest(of: url)
    }

    /// Keeps it with a file, which has its final size and time.
    ///
    /// Where a file system has no room for it, or knows no such thing, the file is as good.
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

    /// Whether it can stand in a header: others may have written the attribute.
    private static func isClean(_ text: String) -> Bool {
        !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
