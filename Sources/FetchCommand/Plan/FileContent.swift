import SystemPackage

/// Whole files, in memory.
enum FileContent {
    /// Reads a file to its end.
    static func bytes(of path: String) throws(FileFailure) -> [UInt8] {
        let length = try FileFacts.readable(path)
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
            return try file.closeAfter { try rest(of: file, expected: Int(length ?? 0)) }
        } catch {
            throw FileFailure(path: path, reason: .system(error as? Errno ?? .ioError))
        }
    }

    private static func rest(of file: FileDescriptor, expected: Int) throws -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(expected)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return content }
            content += buffer[..<count]
        }
    }
}
