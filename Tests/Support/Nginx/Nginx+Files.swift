import Foundation

extension Nginx {
    /// Puts a file into the document root, replacing one of that name at a stroke.
    ///
    /// nginx makes the ETag of size and `modified`: a new version of the same size needs another
    /// `modified` to be known as one.
    ///
    /// - Parameters:
    ///   - name: Its name, unique to the test, since the root is shared; may hold slashes.
    ///   - bytes: Its contents.
    ///   - modified: What Last-Modified says, in seconds since 1970; now unless given.
    /// - Returns: Its path under `/files/`, for `url(_:)`.
    /// - Throws: `TestSupportError.system` when it cannot be put there.
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

    /// Puts a file in place as a new one, so that a transfer under way keeps what it has, and none
    /// begins with half of it.
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
    /// They are those of `PseudoRandom.bytes(size, seed: seed)`. Returns the path under `/files/`.
    @discardableResult
    public func addLargeFile(_ name: String, size: Int, seed: UInt64 = 1) throws -> String {
        try place(name) { try folder.writePseudoRandom(size: size, seed: seed, to: $0) }
    }

    /// What a `PUT` to `/dav/NAME` has stored, or `nil` if nothing.
    public func uploaded(_ name: String) -> [UInt8]? {
        folder.read("root/dav/\(name)")
    }
}
