import CTestSupport
import Foundation

/// A file with room for a number of bytes and no more, as on a full disk.
public final class FullDisk: Sendable {
    /// Open for reading and writing, at the beginning.
    public let descriptor: Int32
    private let room: Int

    /// Makes a file with room for a number of bytes, a multiple of the page size.
    public init(room: Int) throws {
        self.room = room
        descriptor = memfd_create("full", UInt32(MEMFD_CLOEXEC | MEMFD_ALLOW_SEALING))
        guard descriptor >= 0 else { throw TestSupportError.lastSystemError("memfd_create") }
        guard ftruncate(descriptor, off_t(room)) == 0,
            fcntl(descriptor, Int32(ADD_SEALS), Int32(SEAL_GROW)) == 0
        else { throw TestSupportError.lastSystemError("fcntl") }
    }

    deinit {
        close(descriptor)
    }

    /// The text of the file, to its end.
    public var text: String {
        var bytes = [UInt8](repeating: 0, count: room)
        let count = pread(descriptor, &bytes, room, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
