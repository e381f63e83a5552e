import Glibc

/// The folder of a cache on disk: its creation, and the checks before it is trusted.
enum CacheFolder {
    /// Whether the cache may store responses in a folder; creates a missing folder, with mode 0700.
    ///
    /// The cache refuses a folder of another user, or one that others may write to. Root creates no folder
    /// below another user's folder: under sudo(8) that user could not use it later.
    static func isUsable(_ path: String) -> Bool {
        if isOwn(path) { return true }
        guard errno == ENOENT, mayMake(path) else { return false }
        PrivateFolder.make(path)
        return isOwn(path)
    }

    /// Whether a path is a folder that no other user may write to, and not a link.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        errno = 0
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    private static func mayMake(_ path: String) -> Bool {
        guard geteuid() == 0 else { return true }
        var above = path[...]
        while let slash = above.utf8.lastIndex(of: UInt8(ascii: "/")) {
            above = above[..<slash]
            var status = stat()
            if stat(above.isEmpty ? "/" : String(above), &status) == 0 {
                return status.st_uid == 0
            }
        }
        return false
    }
}

/// The names in a folder.
enum FolderListing {
    /// Names without `.` and `..`, in any order; empty if the folder is unreadable.
    static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// The name of an entry's file in a cache folder: `ab/cdef…` from the key's hash.
///
/// A response that request fields select has the name `ab/cdef…-0123…`, with a hash of those fields.
///
/// A body that is too large for the entry's file is beside it, with a dot and 16 digits. The name of an
/// unfinished file ends in `~`.
struct DiskName: Sendable, Hashable {
    /// The name of the folder: two hex digits.
    let folder: String
    let file: String
    /// The name of the key's file; `nil` where this file is the key's own.
    let key: String?

    /// The name for a key.
    init(_ key: CacheKey) {
        let name = StableHash.name(of: "\(key.url)\n\(key.credential ?? "")")
        folder = String(name.prefix(2))
        file = String(name.dropFirst(2))
        self.key = nil
    }

    /// The name for one of several responses.
    init(_ variants: DiskRecord.VariantRecord, _ selection: VarySelection) {
        let name = DiskName(variants.key)
        // A value follows a colon, so that a missing value differs from an empty one.
        let values = selection.fields.map { "\($0.name)\($0.value.map { ":\($0)" } ?? "")\n" }
        var text = values.joined()
        let hash = text.withUTF8 {
            StableHash.of(UnsafeRawBufferPointer($0), seed: variants.token)
        }
        folder = name.folder
        key = name.file
        file = "\(name.file)-\(hash.hexText)"
    }

    /// The name of a file in a folder.
    init(folder: String, file: String) {
        self.folder = folder
        self.file = file
        key = file.utf8.firstIndex(of: UInt8(ascii: "-")).map { String(file[..<$0]) }
    }

    /// Whether a name has the form of a cache file; the cache never removes other files.
    static func isOurs(_ file: String) -> Bool {
        let digits = file.utf8.prefix(while: \.isLowerHex)
        guard digits.count == 30 else { return false }
        return file.utf8.dropFirst(30).allSatisfy { $0.isLowerHex || "-.~".utf8.contains($0) }
    }

    /// A random number, as 16 hex digits.
    static func unique() -> String {
        UInt64.random(in: 0...UInt64.max).hexText
    }
}
