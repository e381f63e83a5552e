import Glibc
import SystemPackage

/// A temporary folder for a test, removed afterwards with the test's files.
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
        for file in files.reversed() where unlink(file) != 0 { rmdir(file) }
        rmdir(path)
    }

    func makeFolder(_ name: String) throws {
        try made(name) { mkdir($0, 0o700) }
    }

    func link(_ name: String, to target: String) throws {
        try made(name) { symlink(target, $0) }
    }

    func hardLink(_ name: String, to other: String) throws {
        try made(name) { Glibc.link("\(path)/\(other)", $0) }
    }

    @discardableResult
    func fifo(_ name: String) throws -> String {
        try made(name) { mkfifo($0, 0o600) }
    }

    @discardableResult
    private func made(_ name: String, by call: (String) -> CInt) throws -> String {
        let file = "\(path)/\(name)"
        guard call(file) == 0 else { throw Errno(rawValue: errno) }
        files.append(file)
        return file
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
