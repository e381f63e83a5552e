import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The file of a session's records, which are written before any effect of them.
///
/// Only the holder of the session's ``BackgroundLock`` opens it. Lines are appended and never changed. When
/// the journal is mostly history, a new file replaces it.
struct Journal: ~Copyable {
    static let name = "journal"
    /// The space reserved on the disk for the ends of running tasks, bytes.
    static let reserve: Int64 = 64 << 10
    /// The size below which the journal is not rewritten, bytes.
    static let compactionFloor: Int64 = 256 << 10
    /// The ratio of lines to needed records below which the journal is not rewritten.
    private static let compactionFactor = 2

    private let file: FileDescriptor
    private let path: String
    private let format: JournalFormat
    /// The bytes of complete batches.
    private(set) var size: Int64
    private var lastNumber = 0
    private var lastBatch = 0
    /// The offset up to which blocks are reserved.
    private var reserved: Int64 = 0
    private(set) var isBroken = false
    /// The size up to which the journal is not rewritten, bytes.
    private var rewriteFloor = compactionFloor
    /// Whether the journal must be rewritten before a line is appended: all lines must be of one version.
    private(set) var isOfOtherVersion = false

    private init(_ file: FileDescriptor, _ path: String, _ format: JournalFormat, size: Int64) {
        self.file = file
        self.path = path
        self.format = format
        self.size = size
    }

    /// Opens the journal, and cuts off a batch that a crash has left incomplete; `nil` if there is none.
    ///
    /// `accept` may refuse the journal after the last record. On an error, the file is unchanged.
    static func open(
        in folder: borrowing PrivateFolder,
        format: JournalFormat = .current,
        take: (JournalRecord) -> Void,
        accept: () throws(BackgroundError) -> Void = {}
    ) throws(BackgroundError) -> Journal? {
        let path = folder.place(name)
        guard let file = try BackgroundError.files(try folder.open(name, makes: false)) else {
            return nil
        }
        var journal = Journal(file, path, format, size: 0)
        let replay = try read(file, format, path, take: take)
        try accept()
        journal.size = Int64(replay.length)
        journal.lastNumber = replay.lastNumber
        journal.lastBatch = replay.lastBatch
        // Once a line follows an incomplete batch, that batch would be damage.
        try journal.cut()
        guard fdatasync(file.rawValue) == 0 else { throw .broken(path: path) }
        journal.isOfOtherVersion = replay.version != format.version
        return journal
    }

    /// Makes a journal of at least one record, which replaces an existing journal.
    static func make(
        _ records: [JournalRecord],
        in folder: borrowing PrivateFolder,
        format: JournalFormat = .current
    ) throws(BackgroundError) -> Journal {
        let journal = try write(records, in: folder, format)
        guard !journal.isBroken else { throw .broken(path: journal.path) }
        return journal
    }

    deinit {
        try? file.close()
    }

    /// Appends records, all or none; returns when they are on the disk.
    ///
    /// A batch that begins work is refused if the reserve cannot be kept. Throws `full` or `tooLarge`, and
    /// nothing has changed; `broken`, and no batch is taken until the journal is rewritten.
    mutating func append(
        _ records: [JournalRecord],
        beginsWork: Bool
    ) throws(BackgroundError) {
        guard !records.isEmpty else { return }
        guard !isBroken, !isOfOtherVersion else { throw .broken(path: path) }
        guard !beginsWork || size < format.sizeLimit else { throw .tooLarge(path: path) }
        let bytes = Self.encoded(records, after: lastNumber, batch: lastBatch + 1)
        try reserve(size + Int64(bytes.count) + Self.reserve, isNeeded: beginsWork)
        do {
            _ = try bytes.withUnsafeBytes { try file.writeAll(toAbsoluteOffset: size, $0) }
        } catch {
            try cut()
            throw Self.failed(path, error)
        }
        if fdatasync(file.rawValue) != 0 {
            // The kernel now counts the bytes as written, so a second fdatasync(2) would report success.
            isBroken = true
            try cut()
            throw .broken(path: path)
        }
        size += Int64(bytes.count)
        lastNumber += records.count
        lastBatch += 1
    }

    /// Whether the journal is large, and has many more records than the current state needs.
    func isMostlyHistory(whereNeeded count: Int) -> Bool {
        size > rewriteFloor && lastNumber > count * Self.compactionFactor
    }

    /// Replaces the journal with one of these records; on an error, the old journal stays in use.
    ///
    /// Throws `broken` if the new journal is in use, and may not be on the disk. The next attempt is due when
    /// it has twice the size, or half of the largest size.
    mutating func rewrite(
        _ records: [JournalRecord],
        in folder: borrowing PrivateFolder
    ) throws(BackgroundError) {
        rewriteFloor = max(Self.compactionFloor, min(size * 2, format.sizeLimit / 2))
        self = try Self.write(records, in: folder, format)
        guard !isBroken else { throw .broken(path: path) }
    }

    /// Writes a new file with these records, flushes it to the disk, and renames it to the journal, which is
    /// broken if the rename may not be on the disk.
    private static func write(
        _ records: [JournalRecord],
        in folder: borrowing PrivateFolder,
        _ format: JournalFormat
    ) throws(BackgroundError) -> Journal {
        let path = folder.place(name)
        let bytes = format.head + encoded(records, after: 0, batch: 1)
        let file = try BackgroundError.files(try folder.makeDraft(of: name))
        let isOnDisk: Bool
        do {
            _ = try bytes.withUnsafeBytes { try file.writeAll($0) }
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            isOnDisk = try folder.commitDraft(of: name)
        } catch {
            try? file.close()
            folder.discardDraft(of: name)
            throw failed(path, error)
        }
        var journal = Journal(file, path, format, size: Int64(bytes.count))
        (journal.lastNumber, journal.lastBatch) = (records.count, 1)
        journal.isBroken = !isOnDisk
        return journal
    }

    /// Reserves blocks, if the file system can.
    private mutating func reserve(_ length: Int64, isNeeded: Bool) throws(BackgroundError) {
        guard length > reserved else { return }
        if linux_fallocate_keep_size(file.rawValue, 0, length + Self.reserve) == 0 {
            reserved = length + Self.reserve
            return
        }
        switch errno {
        case ENOSPC, EDQUOT, EFBIG: if isNeeded { throw .full(path: path) }
        case EOPNOTSUPP, ENOSYS: reserved = .max
        default: break
        }
    }

    /// Cuts off bytes after the last complete batch.
    private mutating func cut() throws(BackgroundError) {
        reserved = 0
        guard ftruncate(file.rawValue, off_t(size)) != 0 else { return }
        isBroken = true
        throw .broken(path: path)
    }
}

// Whole files.
extension Journal {
    static func read(
        _ file: FileDescriptor,
        _ format: JournalFormat,
        _ path: String,
        take: (JournalRecord) -> Void
    ) throws(BackgroundError) -> JournalReplay {
        guard let size = FileStatus(descriptor: file.rawValue)?.size else {
            throw failed(path, Errno(rawValue: errno))
        }
        guard (0...4 * format.sizeLimit).contains(size) else {
            throw .corrupt(path: path, line: 1, reason: "it has \(size) bytes")
        }
        let read: [UInt8]?
        do {
            read = try file.readToEnd(limit: Int(4 * format.sizeLimit), expected: Int(size))
        } catch {
            throw failed(path, error)
        }
        guard let bytes = read else {
            throw .corrupt(path: path, line: 1, reason: "it has grown beyond its limit")
        }
        return try bytes.withUnsafeBufferPointer { bytes throws(BackgroundError) in
            try JournalReplay(UnsafeRawBufferPointer(bytes), format, path: path, take: take)
        }
    }

    static func encoded(_ records: [JournalRecord], after number: Int, batch: Int) -> [UInt8] {
        let encoder = JSONBytes()
        var bytes: [UInt8] = []
        for (index, record) in records.enumerated() {
            // Encoding cannot fail: the records have only texts, numbers and lists.
            bytes +=
                (try? JournalLine.encode(
                    record,
                    number: number + index + 1,
                    batch: batch,
                    isLast: index == records.count - 1,
                    encoder
                )) ?? []
        }
        return bytes
    }

    static func failed(_ path: String, _ error: any Error) -> BackgroundError {
        switch error {
        case Errno.noSpace, Errno.diskQuotaExceeded, Errno.fileTooLarge: .full(path: path)
        case let error as PrivateFileError: .file(error)
        default: .file(.failed(path: path, reason: "\(error)"))
        }
    }
}
