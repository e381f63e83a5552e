import SystemPackage

/// Whole files, in memory.
enum FileContent {
    /// Reads a file to its end.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: bytes; one that has more is refused.
    /// - Returns: its bytes.
    /// - Throws: what is wrong with it.
    static func bytes(of path: String, limit: Int = .max) throws(FileFailure) -> [UInt8] {
        let length = try FileFacts.readable(path)
        do {
            guard length ?? 0 <= Int64(limit) else { throw Errno.fileTooLarge }
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            return try file.closeAfter {
                try rest(of: file, expected: Int(length ?? 0), limit: limit)
            }
        } catch {
            throw FileFailure(path: path, reason: .system(error as? Errno ?? .ioError))
        }
    }

    private static func rest(
        of file: FileDescriptor,
        expected: Int,
        limit: Int
    ) throws -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(expected)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return content }
            guard content.count + count <= limit else { throw Errno.fileTooLarge }
            content += buffer[..<count]
        }
    }
}
