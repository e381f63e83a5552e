import CLinux
import Dispatch
import FoundationEssentials

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
