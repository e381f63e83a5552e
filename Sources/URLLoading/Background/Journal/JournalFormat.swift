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

/// A line of a journal: JSON, whose first member is the checksum of all that follows it.
///
///     {"check":"0123456789abcdef","batch":7,"last":true,"number":12,"record":{…}}
///
/// Lines are numbered from 1. Those that were brought to the disk together are a batch, and the last
/// of them says so: they count together or not at all.
struct JournalLine: Decodable {
    static let end = UInt8(ascii: "\n")
    private static let opening = Array(#"{"check":""#.utf8)
    private static let digits = 16
    private static let closing = Array(#"","#.utf8)
    private static var prefixLength: Int { opening.count + digits + closing.count }

    let batch: Int
    let last: Bool
    let number: Int
    /// What it records, or why this build does not understand that.
    let record: Result<JournalRecord, any Error>

    private enum CodingKeys: CodingKey {
        case batch
        case last
        case number
        case record
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        batch = try members.decode(Int.self, forKey: .batch)
        last = try members.decode(Bool.self, forKey: .last)
        number = try members.decode(Int.self, forKey: .number)
        record = Result { try members.decode(JournalRecord.self, forKey: .record) }
    }

    /// A record as a line, with its end.
    static func encode(
        _ record: JournalRecord,
        number: Int,
        batch: Int,
        isLast: Bool,
        _ encoder: JSONBytes
    ) throws -> [UInt8] {
        let line = Whole(batch: batch, last: isLast, number: number, record: record)
        let rest = try encoder.encode(line).dropFirst()
        let check = rest.withUnsafeBytes { StableHash.hex(StableHash.of($0)) }
        return opening + check.utf8 + closing + rest + [end]
    }

    /// What a line says, without its end; `nil` where it is not what was written.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > Self.prefixLength, bytes.starts(with: Self.opening) else { return nil }
        let digits = bytes[Self.opening.count...].prefix(Self.digits)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[Self.prefixLength...])
        guard digits.elementsEqual(StableHash.hex(StableHash.of(rest)).utf8),
            let line = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = line
    }

    private struct Whole: Encodable {
        let batch: Int
        let last: Bool
        let number: Int
        let record: JournalRecord
    }
}

/// A change of a background session that must not be forgotten, as it stands in the journal.
///
/// The names of cases and members are the format: one that is changed, or removed, is another
/// version of it (``JournalFormat``).
enum JournalRecord: Codable, Hashable, Sendable {
    /// The session was made, or made anew with other settings.
    case session(settings: BackgroundSettings)
    /// A task was made, held.
    case made(task: BackgroundTaskRecord)
    /// A task is to be carried out; with when that was, where it was held before.
    case resumed(task: Int, at: Int64? = nil)
    /// A task is held until it is resumed; with what the transfer process holds it for, where that is not
    /// by order, and since when.
    case suspended(task: Int, blocker: StoredError? = nil, at: Int64? = nil)
    /// A task has failed, and is tried again.
    case waiting(task: Int, retry: BackgroundRetry)
    /// A task cannot go on without a credential.
    case parked(task: Int, challenge: ChallengeRecord)
    /// What a task has received is being moved to where it belongs; this comes first.
    case placing(task: Int, placement: BackgroundPlacement)
    /// Something that the program is told, once.
    case event(sequence: Int, event: BackgroundEvent)
    /// The events up to this one were, or are about to be, sent to a client.
    case offered(sequence: Int)
    /// The events up to this one may have been sent to a client that has ended without
    /// acknowledging them.
    case doubted(sequence: Int)
    /// The file that an event tells of was taken away: it has been told.
    case taken(sequence: Int)
    /// The events up to this one have been told.
    case acknowledged(sequence: Int)
    /// All tasks are held together, or no longer.
    case paused(isPaused: Bool)
    /// The command of the session is to be run; `nil`: it is no longer.
    case commandDue(reason: BackgroundCommandReason?)
    /// The command is about to be run.
    case commandBegan(run: Int, reason: BackgroundCommandReason)
    /// The command has ended, with what waitpid(2) says; `nil`: its status is unknown.
    case commandEnded(run: Int, status: Int32?)
    /// What counts of a history that was left out.
    case figures(figures: BackgroundCounters)
}
