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
    ) throws(BackgroundError) -> JournalReplay {
        guard let size = FileStatus(descriptor: file.rawValue)?.size else {
            throw failed(path, Errno(rawValue: errno))
        }
        guard size <= 4 * format.sizeLimit else {
            throw .corrupt(path: path, line: 1, reason: "it has \(size) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var count = 0
        do {
            while count < bytes.count {
                let taken = try bytes.withUnsafeMutableBytes { space in
                    let rest = UnsafeMutableRawBufferPointer(rebasing: space[count...])
                    return try file.read(fromAbsoluteOffset: Int64(count), into: rest)
                }
                guard taken > 0 else { break }
                count += taken
            }
        } catch {
            throw failed(path, error)
        }
        return try bytes.prefix(count).withUnsafeBufferPointer { bytes throws(BackgroundError) in
            try JournalReplay(UnsafeRawBufferPointer(bytes), format, path: path, take: take)
        }
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

    static func failed(_ path: String, _ error: any Error) -> BackgroundError {
        switch error {
        case Errno.noSpace, Errno.diskQuotaExceeded, Errno.fileTooLarge: .full(path: path)
        case let error as PrivateFileError: .file(error)
        default: .file(.failed(path: path, reason: "\(error)"))
        }
    }
}
