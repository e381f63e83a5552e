import Foundation

/// The part of nginx's log that was read, so that each line is parsed once.
struct AccessLogReader {
    /// The entries in the order of the log.
    private(set) var entries: [AccessLogEntry] = []
    /// The offset of the first line that was not read.
    private var offset: UInt64 = 0

    /// Reads the complete lines that were added.
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
