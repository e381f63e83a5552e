import Foundation

/// What has been read of nginx's log, so that each line is taken to pieces once.
struct AccessLogReader {
    /// In the order of the log.
    private(set) var entries: [AccessLogEntry] = []
    /// Where the first line begins that has not been read.
    private var offset: UInt64 = 0

    /// Reads the lines that have come, and are whole.
    mutating func readOn(_ path: String) {
        let newline = UInt8(ascii: "\n")
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: offset)) != nil,
            let bytes = (try? file.readToEnd()).map(Array.init),
            let end = bytes.lastIndex(of: newline)
        else { return }
        offset += UInt64(end + 1)
        entries += bytes[...end].split(separator: newline).compactMap { line in
            AccessLogEntry(line: String(decoding: line, as: UTF8.self)[...])
        }
    }
}
