import FoundationEssentials

/// How the records of a journal are written, and which older ways are understood.
///
/// What stands around a record is the same in all versions: see ``JournalLine``.
struct JournalFormat: Sendable {
    /// Reads the record of a line of an older version; it may have become none, or several.
    typealias Reader = @Sendable (_ line: Data) throws -> [JournalRecord]

    /// What stands in the first line.
    static let name = "URLLoading background journal"

    /// What this build writes.
    static let current = JournalFormat(version: 1, readers: [:])

    let version: Int
    /// By the version that they read.
    let readers: [Int: Reader]

    /// What reads a version; `nil` where nothing does.
    func reader(of version: Int) -> Reader? {
        guard version != self.version else {
            return { [try JSONDecoder().decode(Line.self, from: $0).record] }
        }
        return readers[version]
    }

    private struct Line: Decodable {
        let record: JournalRecord
    }

    /// The first line, without its end.
    struct Head: Codable {
        var format: String
        var version: Int
    }

    /// The first line.
    var head: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let head = try? encoder.encode(Head(format: Self.name, version: version))
        return (head ?? Data()) + [JournalLine.end]
    }
}
