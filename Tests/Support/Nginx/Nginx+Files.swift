import Foundation

extension Nginx {
    /// Puts a file into the document root, and replaces one with that name atomically.
    ///
    /// nginx derives the ETag from size and `modified`: a new version of the same size needs another
    /// `modified` to get another ETag.
    ///
    /// - Parameters:
    ///   - name: Its name, unique to the test, since the root is shared; may contain slashes.
    ///   - bytes: Its content.
    ///   - modified: The Last-Modified time, in seconds since 1970; by default now.
    /// - Returns: Its path under `/files/`, for `url(_:)`.
    /// - Throws: `TestSupportError.system` when the file cannot be written.
    @discardableResult
    public func addFile(
        _ name: String,
        bytes: [UInt8],
        modified: Int? = nil
    ) throws -> String {
        try place(name) { fresh in
            try folder.write(bytes, to: fresh)
            if let modified { try folder.setModified(modified, of: fresh) }
        }
    }

    /// Writes a new file and renames it, so that transfers under way keep the old file, and none reads
    /// half of the new one.
    private func place(_ name: String, _ write: (String) throws -> Void) throws -> String {
        let fresh = "\(name).\(UUID().uuidString)"
        try write("root/\(fresh)")
        guard rename("\(documentRoot)/\(fresh)", "\(documentRoot)/\(name)") == 0 else {
            throw TestSupportError.lastSystemError("rename \(name)")
        }
        return "/files/\(name)"
    }

    /// Puts a text file into the document root in the same way.
    @discardableResult
    public func addFile(_ name: String, text: String, modified: Int? = nil) throws -> String {
        try addFile(name, bytes: Array(text.utf8), modified: modified)
    }

    /// Puts a file of pseudo-random bytes, which do not compress, into the document root.
    ///
    /// The bytes are `PseudoRandom.bytes(size, seed: seed)`. Returns the path under `/files/`.
    @discardableResult
    public func addLargeFile(_ name: String, size: Int, seed: UInt64 = 1) throws -> String {
        try place(name) { try folder.writePseudoRandom(size: size, seed: seed, to: $0) }
    }

    /// The body that a `PUT` to `/dav/NAME` has stored, or `nil`.
    public func uploaded(_ name: String) -> [UInt8]? {
        folder.read("root/dav/\(name)")
    }
}
