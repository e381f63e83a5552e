import CLinux
import Dispatch
import FoundationEssentials

/// The version of a journal's records, and the readers of older versions.
///
/// The other members of a line are the same in all versions: see ``JournalLine``.
struct JournalFormat: Sendable {
    /// Reads the record of a line of an older version, as none, one or several current records.
    typealias Reader = @Sendable (_ line: Data) throws -> [JournalRecord]

    static let name = "URLLoading background journal"

    /// The current format; in version 1, each task is made held, and two events say that a file was moved.
    static let current = JournalFormat(
        version: 2,
        readers: [
            1: { line in
                let record = try JSONDecoder().decode(JournalLine.self, from: line).record.get()
                guard case .made(let task) = record, task.startsResumed else { return [record] }
                return [record, .suspended(task: task.identifier, at: task.made)]
            }
        ]
    )

    let version: Int
    let readers: [Int: Reader]
    /// The size from which a journal takes no new work, bytes.
    var sizeLimit: Int64 = 1 << 30

    /// The first line, without its end.
    struct Head: Codable {
        var format: String
        var version: Int
    }

    /// The first line, with its end.
    var head: [UInt8] {
        let head = Head(format: Self.name, version: version)
        return ((try? JSONBytes.encode(head)) ?? []) + [JournalLine.end]
    }
}

/// A line of a journal: JSON, whose first member is the checksum of all that follows it.
///
///     {"check":"0123456789abcdef","batch":7,"last":true,"number":12,"record":{…}}
///
/// Lines are numbered from 1. Lines that were written together are a batch, whose last line is marked. A
/// batch is valid as a whole or not at all.
struct JournalLine: Decodable {
    static let end = UInt8(ascii: "\n")
    private static let opening = Array(#"{"check":""#.utf8)
    private static let digits = 16
    private static let closing = Array(#"","#.utf8)
    private static var prefixLength: Int { opening.count + digits + closing.count }

    let batch: Int
    let last: Bool
    let number: Int
    /// The record, or the error if this build cannot decode it.
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

    static func encode(
        _ record: JournalRecord,
        number: Int,
        batch: Int,
        isLast: Bool,
        _ encoder: JSONBytes
    ) throws -> [UInt8] {
        let line = Whole(batch: batch, last: isLast, number: number, record: record)
        let rest = try encoder.encode(line).dropFirst()
        let check = rest.withUnsafeBytes { StableHash.of($0).hexText }
        return opening + check.utf8 + closing + rest + [end]
    }

    /// Decodes a line without its end; `nil` if the checksum is wrong or the line malformed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > Self.prefixLength, bytes.starts(with: Self.opening) else { return nil }
        let digits = bytes[Self.opening.count...].prefix(Self.digits)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[Self.prefixLength...])
        guard digits.elementsEqual(StableHash.of(rest).hexText.utf8),
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

/// The records of a journal, up to the last complete batch.
///
/// A crash may leave an incomplete last batch, written in any order. It had no effect, so it is left out.
/// Damage before the last batch is an error. The next batch shows the difference: it is written only when
/// the one before it is on the disk.
struct JournalReplay {
    /// The bytes of complete batches.
    private(set) var length: Int
    let version: Int
    /// The number of the last valid line, and of its batch.
    private(set) var lastNumber = 0
    private(set) var lastBatch = 0

    /// Reads a whole file, and passes on each valid record.
    init(
        _ bytes: UnsafeRawBufferPointer,
        _ format: JournalFormat,
        path: String,
        take: (JournalRecord) -> Void
    ) throws(BackgroundError) {
        guard let end = bytes.firstIndex(of: JournalLine.end),
            let head = try? JSONDecoder()
                .decode(JournalFormat.Head.self, from: Data(bytes[..<end])),
            head.format == JournalFormat.name
        else { throw .corrupt(path: path, line: 1, reason: "it is not a journal of this library") }
        version = head.version
        let reader = format.readers[version]
        guard reader != nil || version == format.version else {
            throw .journalVersion(path: path, version: version)
        }
        length = end + 1
        try read(bytes, reader, path, take)
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ reader: JournalFormat.Reader?,
        _ path: String,
        _ take: (JournalRecord) -> Void
    ) throws(BackgroundError) {
        var batch: [JournalRecord] = []
        var place = length
        var number = 0
        var lines: ArraySlice<JournalLine?> = []
        // A discretionary session gives its threads a low priority before it starts any.
        let limit = Self.isDiscretionary(bytes) ? 1 : Self.countTogether
        while place < bytes.count {
            let end = bytes[place...].firstIndex(of: JournalLine.end)
            let text = UnsafeRawBufferPointer(rebasing: bytes[place..<(end ?? bytes.count)])
            if lines.isEmpty { lines = Self.decode(bytes[place...], atMost: limit)[...] }
            // A line without its end was not written completely.
            guard let end, let line = lines.removeFirst(), line.number == number + 1,
                line.batch == lastBatch + 1
            else {
                // Unreadable lines are at the end of the file, and in one batch only.
                for text in bytes[place...].split(separator: JournalLine.end) {
                    let line = JournalLine(UnsafeRawBufferPointer(rebasing: text))
                    guard let line, line.batch > lastBatch + 1 else { continue }
                    let reason = "a line is damaged, and valid lines follow it"
                    throw .corrupt(path: path, line: number + 2, reason: reason)
                }
                return
            }
            number += 1
            do {
                batch += try reader?(Data(text)) ?? [line.record.get()]
            } catch {
                throw .corrupt(path: path, line: number + 1, reason: "unknown record")
            }
            place = end + 1
            guard line.last else { continue }
            for record in batch { take(record) }
            batch.removeAll(keepingCapacity: true)
            (lastNumber, lastBatch, length) = (number, line.batch, place)
        }
    }

    /// Whether any of the settings are discretionary.
    private static func isDiscretionary(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let member = Array(#""isDiscretionary":true"#.utf8)
        return linux_contains(bytes.baseAddress, bytes.count, member, member.count) != 0
    }

    /// The most lines that are decoded together.
    private static let countTogether = 512

    /// Decodes the next lines on all processors; `nil` for a line that is not readable.
    private static func decode(
        _ rest: Slice<UnsafeRawBufferPointer>,
        atMost limit: Int
    ) -> [JournalLine?] {
        let texts = rest.split(
            separator: JournalLine.end,
            maxSplits: limit,
            omittingEmptySubsequences: false
        ).prefix(limit).map { UnsafeRawBufferPointer(rebasing: $0) }
        return [JournalLine?](unsafeUninitializedCapacity: texts.count) { lines, count in
            // Each thread reads and writes other elements, and concurrentPerform returns after the last one.
            nonisolated(unsafe) let (texts, lines) = (texts, lines)
            DispatchQueue.concurrentPerform(iterations: texts.count) { index in
                lines.initializeElement(at: index, to: JournalLine(texts[index]))
            }
            count = texts.count
        }
    }
}

/// A change of a background session, as the journal has it.
///
/// The names of cases and members are the format. A changed or removed name needs a new version
/// (``JournalFormat``).
enum JournalRecord: Codable, Hashable, Sendable {
    /// The session was made, or has new settings.
    case session(settings: BackgroundSettings)
    /// A task was made, held unless its record says that it starts resumed.
    case made(task: BackgroundTaskRecord)
    /// A task may run; with the time, if the task was held before.
    case resumed(task: Int, at: Int64? = nil)
    /// A task is held until it is resumed; with the error, if the transfer process holds it, and the time.
    case suspended(task: Int, blocker: StoredError? = nil, at: Int64? = nil)
    case waiting(task: Int, retry: BackgroundRetry)
    case parked(task: Int, challenge: ChallengeRecord)
    case placing(task: Int, placement: BackgroundPlacement)
    /// A task's file is at its target: two events follow, `finished` with this number, and `completed` with
    /// the next one and the response of the move.
    case placed(task: Int, sequence: Int, metrics: String? = nil)
    case event(sequence: Int, event: BackgroundEvent)
    /// The events up to this one were, or are about to be, sent to a client.
    case offered(sequence: Int)
    /// The events up to this one may have been sent to a client that has ended without
    /// acknowledging them.
    case doubted(sequence: Int)
    /// The file of an event was taken away, so the event counts as delivered.
    case taken(sequence: Int)
    /// The client has acknowledged the events up to this one.
    case acknowledged(sequence: Int)
    /// All tasks are held together, or no longer.
    case paused(isPaused: Bool)
    /// The session's command is due; `nil`: no longer.
    case commandDue(reason: BackgroundCommandReason?)
    case commandBegan(run: Int, reason: BackgroundCommandReason)
    /// The command has ended, with the status from waitpid(2); `nil`: unknown.
    case commandEnded(run: Int, status: Int32?)
    /// The counters, which include records that were left out.
    case figures(figures: BackgroundCounters)
}
