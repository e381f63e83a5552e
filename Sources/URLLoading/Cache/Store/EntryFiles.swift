import CCodings
import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// zlib's CRC-32 of a record, a body or a part: it detects damage, not attacks.
struct Checksum: Sendable {
    private(set) var value: UInt32 = 0

    /// Whether zlib is available; without it there is no cache on disk.
    static var isAvailable: Bool { CodingLibraries.zlib != nil }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty, var zlib = CodingLibraries.zlib?.functions else { return }
        value = shim_crc32(&zlib, value, bytes.baseAddress, bytes.count)
    }
}

extension Checksum {
    /// The checksum of these bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init()
        update(bytes)
    }
}

/// The open file of an entry.
struct EntryFile: ~Copyable {
    /// Bytes of the first read; sufficient for most records.
    private static let firstPiece = 4_096

    let record: DiskRecord
    /// The offset of the body, if it is in this file.
    let bodyStart: Int64
    /// Bytes.
    let size: Int64
    let inode: UInt64
    private let descriptor: CInt

    /// The reason why the store cannot open a file.
    enum Failure: Error {
        /// No file exists.
        case missing
        /// The file is damaged, of another version, or not a cache file.
        case damaged
    }

    /// Opens a valid file of this user, and reads its record.
    init(_ path: String) throws(Failure) {
        // O_NONBLOCK: opening a FIFO with that name must not block.
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

    /// A duplicate of the descriptor, for a body.
    var duplicate: CInt { linux_duplicate(descriptor) }
}

/// A body in an immutable file, read by its descriptor, even if a process removes the file's name.
final class FileBody: CacheBody {
    /// The largest body whose checksum is verified before use, bytes: more would take too long.
    private static let checkedLimit: Int64 = 64 << 20

    let length: Int64
    private let descriptor: CInt
    private let start: Int64
    let checksum: UInt32

    /// Owns the descriptor; the body begins at the offset `start` of the file.
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
        guard wanted > 0 else { return 0 }
        let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
        let file = FileDescriptor(rawValue: descriptor)
        guard let count = try? file.read(fromAbsoluteOffset: start + offset, into: piece) else {
            throw URLError(.networkConnectionLost, detail: "the cached body cannot be read")
        }
        return count
    }

    /// Whether the body has the right length and checksum.
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
        // A mapping must begin at a page boundary.
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

    /// A copy of the body in memory, if it cannot be mapped.
    private var copied: Data {
        // The length comes from the file, and may be arbitrary, so no capacity is reserved.
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

/// A file in which a large body is recorded; removed with this object, unless it was told to ``keep()``.
final class DraftFile: Sendable {
    let path: String
    private let descriptor: CInt
    private let isKept = Atomic(false)

    /// Owns the descriptor.
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
        (try? FileDescriptor(rawValue: descriptor).writeAll(bytes)) != nil
    }

    /// The written bytes as a body; `nil` if they are unreadable.
    func body(length: Int64, checksum: UInt32) -> FileBody? {
        let own = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard own >= 0 else { return nil }
        return FileBody(descriptor: own, start: 0, length: length, checksum: checksum)
    }
}
