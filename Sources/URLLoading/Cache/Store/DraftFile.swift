import FoundationEssentials
import Glibc

/// A file that a large body is recorded in; it is removed with this, unless it was kept.
final class DraftFile: Sendable {
    let path: String
    private let descriptor: CInt

    /// - Parameters:
    ///   - path: of the file.
    ///   - descriptor: becomes its own.
    init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // What was kept has another name by now.
        unlink(path)
        close(descriptor)
    }

    /// Writes all of some bytes, or says that it could not.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// What was written, to be read; `nil` where it cannot be.
    func body(length: Int64, checksum: UInt64) -> FileBody? {
        let own = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard own >= 0 else { return nil }
        return FileBody(descriptor: own, start: 0, length: length, checksum: checksum)
    }
}
