import FoundationEssentials
import Glibc
import Synchronization

/// A file that a large body is recorded in; it is removed with this, unless it was kept.
final class DraftFile: Sendable {
    let path: String
    private let descriptor: CInt
    private let isKept = Atomic(false)

    /// - Parameters:
    ///   - path: of the file.
    ///   - descriptor: becomes its own.
    init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if !isKept.load(ordering: .relaxed) { unlink(path) }
        close(descriptor)
    }

    /// Leaves the file where it is, or wherever it was moved to.
    func keep() {
        isKept.store(true, ordering: .relaxed)
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
