import Foundation

/// The part of nginx's log that was read, so that each line is parsed once.
struct AccessLogReader {
    /// The entries in the order of the log.
    private var entries: [AccessLogEntry] = []
    /// The entries that were searched for before, by prefix, and how many of all entries the search has read.
    ///
    /// A test asks for the same prefix again and again until its requests are in the log.
    private var found: [String: (entries: [AccessLogEntry], count: Int)] = [:]
    /// The offset of the first line that was not read.
    private var offset: UInt64 = 0

    /// The entries whose targets have a prefix.
    mutating func entries(_ prefix: String) -> [AccessLogEntry] {
        var known = found[prefix] ?? ([], 0)
        for index in known.count..<entries.count where entries[index].target.hasPrefix(prefix) {
            known.entries.append(entries[index])
        }
        known.count = entries.count
        found[prefix] = known
        return known.entries
    }

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
