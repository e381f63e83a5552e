import CLinux
import Glibc

/// The opened file of an entry.
struct EntryFile: ~Copyable {
    /// Read at once: enough for most records.
    private static let firstPiece = 4_096

    let record: DiskRecord
    /// Where the body begins, if it is in this file.
    let bodyStart: Int64
    /// In bytes.
    let size: Int64
    let inode: UInt64
    private let descriptor: CInt

    /// What opening one has come to.
    enum Failure: Error {
        /// There is none.
        case missing
        /// It is torn, of another version, or of a kind that was not made here.
        case damaged
    }

    /// Opens a file and reads its record.
    ///
    /// Throws where there is none of this user's own making.
    init(_ path: String) throws(Failure) {
        // O_NONBLOCK: a FIFO of that name must not hold us up.
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ELOOP ? .damaged : .missing }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_nlink <= 1,
            let (record, start) = Self.read(descriptor)
        else {
            close(descriptor)
            throw .damaged
        }
        self.record = record
        bodyStart = start
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
    }

    deinit {
        close(descriptor)
    }

    private static func read(_ descriptor: CInt) -> (DiskRecord, start: Int64)? {
        withUnsafeTemporaryAllocation(byteCount: firstPiece, alignment: 16) { space in
            let count = pread(descriptor, space.baseAddress, space.count, 0)
            guard count > 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: space[..<count])
            guard let length = DiskRecord.length(bytes) else { return nil }
            let end = DiskRecord.prefixLength + length
            if end <= count {
                let whole = UnsafeRawBufferPointer(rebasing: bytes[..<end])
                return DiskRecord(whole).map { ($0, Int64(end)) }
            }
            let whole = [UInt8](unsafeUninitializedCapacity: end) { space, filled in
                filled = max(0, pread(descriptor, space.baseAddress, end, 0))
            }
            return whole.withUnsafeBytes(DiskRecord.init).map { ($0, Int64(end)) }
        }
    }

    /// A descriptor of its own for a body.
    var duplicate: CInt { linux_duplicate(descriptor) }
}
