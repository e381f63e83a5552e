import FoundationEssentials
import Glibc
import SystemPackage

// Whole files.
extension Journal {
    static func read(
        _ file: FileDescriptor,
        _ format: JournalFormat,
        _ path: String,
        take: (JournalRecord) -> Void
    ) throws(JournalError) -> JournalReplay {
        guard let size = FileStatus(descriptor: file.rawValue)?.size else {
            throw failed(path, Errno(rawValue: errno))
        }
        guard size <= 4 * format.sizeLimit else {
            throw .corrupt(path: path, line: 1, reason: "it has \(size) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var count = 0
        while count < bytes.count {
            let taken = bytes.withUnsafeMutableBytes { space in
                pread(
                    file.rawValue,
                    space.baseAddress.map { $0 + count },
                    space.count - count,
                    off_t(count)
                )
            }
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else { throw failed(path, Errno(rawValue: errno)) }
            guard taken > 0 else { break }
            count += taken
        }
        return try bytes.prefix(count).withUnsafeBufferPointer { bytes throws(JournalError) in
            try JournalReplay(UnsafeRawBufferPointer(bytes), format, path: path, take: take)
        }
    }

    /// A newly written journal.
    struct Written {
        let file: FileDescriptor
        /// Bytes.
        let size: Int64
        /// Whether the rename is on the disk.
        let isOnDisk: Bool
    }

    /// Writes a new file with these records, flushes it to the disk, and renames it to the journal.
    static func write(
        _ records: [JournalRecord],
        in folder: borrowing PrivateFolder,
        _ format: JournalFormat
    ) throws(JournalError) -> Written {
        let path = folder.place(name)
        let bytes = Array(format.head) + encoded(records, after: 0, batch: 1)
        let file: FileDescriptor
        do throws(PrivateFileError) {
            file = try folder.draft(draftName)
        } catch {
            throw .file(error)
        }
        do throws(JournalError) {
            try write(bytes, to: file, path)
            let isOnDisk = try rename(in: folder)
            return Written(file: file, size: Int64(bytes.count), isOnDisk: isOnDisk)
        } catch {
            try? file.close()
            unlinkat(folder.descriptor.rawValue, draftName, 0)
            throw error
        }
    }

    private static func rename(in folder: borrowing PrivateFolder) throws(JournalError) -> Bool {
        do throws(PrivateFileError) {
            return try folder.rename(draftName, to: name)
        } catch {
            throw .file(error)
        }
    }

    private static func write(
        _ bytes: [UInt8],
        to file: FileDescriptor,
        _ path: String
    ) throws(JournalError) {
        do {
            _ = try bytes.withUnsafeBytes { try file.writeAll($0) }
        } catch {
            throw failed(path, error)
        }
        guard fsync(file.rawValue) == 0 else { throw failed(path, Errno(rawValue: errno)) }
    }

    /// Records as the lines of one batch.
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

    static func failed(_ path: String, _ error: any Error) -> JournalError {
        switch error as? Errno {
        case .noSpace?, .diskQuotaExceeded?, .fileTooLarge?: .full(path: path)
        default: .file(.failed(path: path, reason: "\(error)"))
        }
    }
}
