/// The name of an entry's file in the folder of a cache: `ab/cdef…` by the key's hash, and for one
/// of several answers `ab/cdef…-0123…` by what selects it.
///
/// Beside it, with a point and 16 digits, lies a body that is too large for the entry's own file; and
/// with `~` at its end what is not finished.
struct DiskName: Sendable, Hashable {
    /// The folder: two hex digits.
    let folder: String
    /// The file in it.
    let file: String
    /// The file of the key itself, where this is one of several answers.
    let key: String?

    /// The entry of a key.
    init(_ key: CacheKey) {
        let name = CacheChecksum.name(of: "\(key.url)\n\(key.credential ?? "")")
        folder = String(name.prefix(2))
        file = String(name.dropFirst(2))
        self.key = nil
    }

    /// The entry of one of several answers.
    init(_ variants: DiskRecord.VariantRecord, _ selection: VarySelection) {
        let name = DiskName(variants.key)
        var writer = ByteWriter()
        for field in selection.fields {
            writer.put(field.name)
            writer.put(field.value)
        }
        let hash = writer.bytes.withUnsafeBytes { CacheChecksum.of($0, seed: variants.token) }
        folder = name.folder
        key = name.file
        file = "\(name.file)-\(CacheChecksum.hex(hash))"
    }

    /// A file that was found in a folder.
    init(folder: String, file: String) {
        self.folder = folder
        self.file = file
        key = file.utf8.firstIndex(of: UInt8(ascii: "-")).map { String(file[..<$0]) }
    }

    /// Whether a file has a name that one of a cache's could have: nothing else is removed.
    static func isOurs(_ file: String) -> Bool {
        let digits = file.utf8.prefix { isHex($0) }
        guard digits.count == 30 else { return false }
        return file.utf8.dropFirst(30).allSatisfy { isHex($0) || "-.~".utf8.contains($0) }
    }

    /// Whether a byte is a digit of the names.
    static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// A number that no other file has, as 16 hex digits.
    static func unique() -> String {
        CacheChecksum.hex(UInt64.random(in: 0...UInt64.max))
    }
}
