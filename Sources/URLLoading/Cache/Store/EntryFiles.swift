import CCodings
import CLinux
import FoundationEssentials
import Glibc
import Synchronization

/// zlib's CRC-32 of a record, a body or a part.
///
/// It detects damage, not attacks.
struct Checksum: Sendable {
    private(set) var value: UInt32 = 0

    /// Of nothing yet.
    init() {}

    /// Of bytes that have this one, to which more are added.
    init(value: UInt32) {
        self.value = value
    }

    /// Of some bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        update(bytes)
    }

    /// Whether zlib is available; without it there is no cache on disk.
    static var isAvailable: Bool { CodingLibraries.zlib != nil }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty, var zlib = CodingLibraries.zlib?.functions else { return }
        value = shim_crc32(&zlib, value, bytes.baseAddress, bytes.count)
    }
}

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

    /// Why one cannot be opened.
    enum Failure: Error {
        /// There is none.
        case missing
        /// It is damaged, of another version, or no file of the cache.
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

/// A body in a file that does not change any more, by its descriptor.
///
/// It stays complete when its name is removed.
final class FileBody: CacheBody {
    /// The largest body, bytes, that is compared with its checksum before it is used.
    ///
    /// For a larger one the comparison would take too long, so only its length is checked.
    private static let checkedLimit: Int64 = 64 << 20

    let length: Int64
    private let descriptor: CInt
    private let start: Int64
    let checksum: UInt32

    /// - Parameters:
    ///   - descriptor: becomes its own, and is closed with it.
    ///   - start: where the body begins in the file.
    ///   - length: of the body, bytes.
    ///   - checksum: what ``Checksum`` makes of it.
    init(descriptor: CInt, start: Int64, length: Int64, checksum: UInt32) {
        self.descriptor = descriptor
        self.start = start
        self.length = length
        self.checksum = checksum
    }

    deinit {
        close(descriptor)
    }

    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(URLError) -> Int {
        let wanted = min(space.count, Int(clamping: length - offset))
        guard wanted > 0, let base = space.baseAddress else { return 0 }
        while true {
            let count = pread(descriptor, base, wanted, off_t(start + offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw URLError(.networkConnectionLost, detail: "the cached body cannot be read")
            }
        }
    }

    /// Whether the body has its checksum.
    var isWhole: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            Int64(status.st_size) == start.adding(clamping: length)
        else {
            return false
        }
        guard length <= Self.checkedLimit else { return true }
        var sum = Checksum()
        var offset: Int64 = 0
        return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { space in
            while offset < length {
                guard let count = try? read(into: space, at: offset), count > 0 else {
                    return false
                }
                sum.update(UnsafeRawBufferPointer(rebasing: space[..<count]))
                offset += Int64(count)
            }
            return sum.value == checksum
        }
    }

    var data: Data {
        guard length > 0 else { return Data() }
        // A mapping begins at a page.
        let slack = Int(start) % Int(getpagesize())
        let size = Int(clamping: length).adding(clamping: slack)
        let mapped = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, off_t(start) - slack)
        guard let mapped, mapped != MAP_FAILED else { return copied }
        return Data(
            bytesNoCopy: mapped + slack,
            count: Int(length),
            deallocator: .custom { _, _ in munmap(mapped, size) }
        )
    }

    /// The body in memory, where it cannot be mapped.
    private var copied: Data {
        // The length comes from the file, and may be any number.
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while Int64(data.count) < length {
            let offset = Int64(data.count)
            let wanted = Int(min(Int64(piece.count), length - offset))
            let count = piece.withUnsafeMutableBytes { space in
                try? read(
                    into: UnsafeMutableRawBufferPointer(rebasing: space[..<wanted]),
                    at: offset
                )
            }
            guard let count, count > 0 else { break }
            data.append(contentsOf: piece[..<count])
        }
        return data
    }
}

/// A file in which a large body is recorded.
///
/// It is removed with this object, unless it was kept.
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

    /// Keeps the file.
    func keep() {
        isKept.store(true, ordering: .relaxed)
    }

    /// Writes all bytes; `false` on an error.
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

    /// The written bytes as a body; `nil` where it cannot be read.
    func body(length: Int64, checksum: UInt32) -> FileBody? {
        let own = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard own >= 0 else { return nil }
        return FileBody(descriptor: own, start: 0, length: length, checksum: checksum)
    }
}
