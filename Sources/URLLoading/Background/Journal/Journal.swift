import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The file in which whatever must not be forgotten is written down before it is announced.
///
/// Only the holder of the session's ``BackgroundLock`` opens it. Lines are added and never changed;
/// when it is mostly history, it is written anew and takes the old one's name.
struct Journal: ~Copyable {
    /// The file's name.
    static let name = "journal"
    /// What it is written to before it takes that name.
    static let draftName = "journal~"
    /// What is kept free on the disk for the ends of tasks that are under way, bytes.
    static let reserve: Int64 = 64 << 10
    /// It is not written anew below this, bytes.
    static let compactionFloor: Int64 = 256 << 10
    /// Nor before it has so many times the records that the state needs.
    private static let compactionFactor = 2
    /// The largest that is read, bytes.
    static let sizeLimit: Int64 = 256 << 20

    private var file: FileDescriptor
    private let path: String
    private let format: JournalFormat
    /// The bytes that count.
    private(set) var size: Int64
    private var lastNumber = 0
    private var lastBatch = 0
    /// How far blocks are set aside.
    private var reserved: Int64 = 0
    private(set) var isBroken = false
    /// Whether it has to be written anew before anything is added: a line of one version may not follow
    /// those of another.
    private(set) var isOfOtherVersion = false

    private init(_ file: FileDescriptor, _ path: String, _ format: JournalFormat, size: Int64) {
        self.file = file
        self.path = path
        self.format = format
        self.size = size
    }

    /// Opens the journal, and cuts off what a crash has left at its end.
    ///
    /// - Parameters:
    ///   - folder: the session's.
    ///   - format: what is understood, and written.
    ///   - take: takes each record.
    ///   - accept: called behind the last; may refuse them.
    /// - Returns: the journal; `nil` where there is none.
    /// - Throws: what is wrong with it; then it is as it was.
    static func open(
        in folder: borrowing PrivateFolder,
        format: JournalFormat = .current,
        take: (JournalRecord) -> Void,
        accept: () throws(JournalError) -> Void = {}
    ) throws(JournalError) -> Journal? {
        let path = folder.place(name)
        let file: FileDescriptor
        do throws(PrivateFileError) {
            guard let opened = try folder.open(name, makes: false) else { return nil }
            file = opened
        } catch {
            throw .file(error)
        }
        var journal = Journal(file, path, format, size: 0)
        let replay = try read(file, format, path, take: take)
        try accept()
        journal.size = Int64(replay.length)
        journal.lastNumber = replay.lastNumber
        journal.lastBatch = replay.lastBatch
        // What is cut off here would be in the middle once something follows it.
        try journal.cut()
        guard fdatasync(file.rawValue) == 0 else { throw .broken(path: path) }
        journal.isOfOtherVersion = replay.version != format.version
        return journal
    }

    /// Makes a journal, in the place of whatever is there.
    ///
    /// - Parameters:
    ///   - records: its first ones, at least one.
    ///   - folder: the session's.
    ///   - format: how it is written.
    /// - Returns: the journal.
    /// - Throws: what keeps it from being made.
    static func make(
        _ records: [JournalRecord],
        in folder: borrowing PrivateFolder,
        format: JournalFormat = .current
    ) throws(JournalError) -> Journal {
        let written = try write(records, in: folder, format)
        let path = folder.place(name)
        var journal = Journal(written.file, path, format, size: written.size)
        journal.lastNumber = records.count
        journal.lastBatch = 1
        guard written.isOnDisk else { throw .broken(path: path) }
        return journal
    }

    deinit {
        try? file.close()
    }

    /// Writes records down, together or not at all; back when those that must be are on the disk.
    ///
    /// - Parameters:
    ///   - records: a batch.
    ///   - beginsWork: whether they may be refused so that what is under way can be ended later on
    ///     a disk that is full.
    /// - Throws: `full`, and nothing has changed; `broken`, and nothing more is taken until it has
    ///   been written anew.
    mutating func append(
        _ records: [JournalRecord],
        beginsWork: Bool
    ) throws(JournalError) {
        guard !records.isEmpty else { return }
        guard !isBroken, !isOfOtherVersion else { throw .broken(path: path) }
        let bytes = Self.encoded(records, after: lastNumber, batch: lastBatch + 1)
        try reserve(size + Int64(bytes.count) + Self.reserve, isNeeded: beginsWork)
        do {
            _ = try bytes.withUnsafeBytes { try file.writeAll(toAbsoluteOffset: size, $0) }
        } catch {
            try cut()
            throw Self.failed(path, error)
        }
        if fdatasync(file.rawValue) != 0 {
            // The kernel counts it as written from now on: asking again would say that all is well.
            isBroken = true
            try cut()
            throw .broken(path: path)
        }
        size += Int64(bytes.count)
        lastNumber += records.count
        lastBatch += 1
    }

    /// Whether it is time for ``rewrite(_:in:)``.
    ///
    /// - Parameter count: the records that lead to the state that it has now.
    /// - Returns: whether it has many more.
    func isMostlyHistory(whereNeeded count: Int) -> Bool {
        size > Self.compactionFloor && lastNumber > count * Self.compactionFactor
    }

    /// Writes it anew, with these records in the place of all others.
    ///
    /// Throws what keeps it from that; then the old one goes on, as it was.
    mutating func rewrite(
        _ records: [JournalRecord],
        in folder: borrowing PrivateFolder
    ) throws(JournalError) {
        let written = try Self.write(records, in: folder, format)
        try? file.close()
        file = written.file
        size = written.size
        (lastNumber, lastBatch, reserved) = (records.count, 1, 0)
        isBroken = !written.isOnDisk
        isOfOtherVersion = false
    }

    /// Sets blocks aside, where the file system can.
    private mutating func reserve(_ length: Int64, isNeeded: Bool) throws(JournalError) {
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

    /// Leaves nothing behind what counts.
    private mutating func cut() throws(JournalError) {
        reserved = 0
        guard ftruncate(file.rawValue, off_t(size)) != 0 else { return }
        isBroken = true
        throw .broken(path: path)
    }
}

/// What is wrong with a journal.
package enum JournalError: Error, Sendable, Hashable {
    /// It cannot be read or written.
    case file(PrivateFileError)
    /// The disk, or what this user may have of it, has no room for another record.
    case full(path: String)
    /// What was once brought to the disk is not there any more; nothing is changed then.
    case corrupt(path: String, line: Int, reason: String)
    /// It is of a version that this build does not read.
    case version(path: String, version: Int)
    /// It belongs to another session.
    case foreign(path: String, identifier: String)
    /// It could not be brought to the disk, and how much of it is there is not known.
    case broken(path: String)
}

extension JournalError: CustomStringConvertible {
    /// The error as text.
    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .full(let path): "\(path): no room is left for it on the disk"
        case .corrupt(let path, let line, let reason):
            "\(path) is damaged in line \(line), and left as it is: \(reason)"
        case .version(let path, let version):
            "\(path) is of version \(version), which this build does not read; a newer one has"
                + " written it"
        case .foreign(let path, let identifier):
            "\(path) is of the session \(identifier.debugDescription)"
        case .broken(let path): "\(path) could not be brought to the disk"
        }
    }
}
