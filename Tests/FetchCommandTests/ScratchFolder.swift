import Glibc
import SystemPackage

/// A folder of its own for a test; gone afterwards, with the files that the test put into it.
final class ScratchFolder {
    let path: String
    private var files: [String] = []

    init() throws {
        var template = Array("/tmp/fetch-options-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { name in
            guard let start = name.baseAddress, let made = mkdtemp(start) else {
                throw Errno(rawValue: errno)
            }
            return String(cString: made)
        }
    }

    deinit {
        for file in files { unlink(file) }
        rmdir(path)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ content: String = "") throws -> String {
        let file = "\(path)/\(name)"
        files.append(file)
        let descriptor = try FileDescriptor.open(
            FilePath(file),
            .writeOnly,
            options: [.create, .truncate],
            permissions: .ownerReadWrite
        )
        try descriptor.closeAfter { _ = try descriptor.writeAll(Array(content.utf8)) }
        return file
    }
}
