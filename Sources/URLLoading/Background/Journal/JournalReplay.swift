import FoundationEssentials

/// What a journal says, as far as it was brought to the disk.
///
/// A crash may leave a batch that is there by half, in whatever order the disk has written it. No
/// client was told of it, so it is left out. What is damaged before that is another matter, and is
/// told from it by what follows: a batch is written only when the one before it is on the disk.
struct JournalReplay {
    /// The bytes that count.
    private(set) var length: Int
    /// The version of the format.
    let version: Int
    /// The number of the last line that counts, and of its batch.
    private(set) var lastNumber = 0
    private(set) var lastBatch = 0

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - format: what is understood.
    ///   - path: its name, for errors.
    ///   - take: takes each record that counts.
    /// - Throws: `corrupt`, `version`.
    init(
        _ bytes: UnsafeRawBufferPointer,
        _ format: JournalFormat,
        path: String,
        take: (JournalRecord) -> Void
    ) throws(JournalError) {
        guard let end = bytes.firstIndex(of: JournalLine.end),
            let head = try? JSONDecoder()
                .decode(JournalFormat.Head.self, from: Data(bytes[..<end])),
            head.format == JournalFormat.name
        else { throw .corrupt(path: path, line: 1, reason: "it is no journal of this library") }
        version = head.version
        let reader = format.readers[version]
        guard reader != nil || version == format.version else {
            throw .version(path: path, version: version)
        }
        length = end + 1
        try read(bytes, reader, path, take)
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ reader: JournalFormat.Reader?,
        _ path: String,
        _ take: (JournalRecord) -> Void
    ) throws(JournalError) {
        var batch: [JournalRecord] = []
        var place = length
        var number = 0
        while place < bytes.count {
            let end = bytes[place...].firstIndex(of: JournalLine.end)
            let text = UnsafeRawBufferPointer(rebasing: bytes[place..<(end ?? bytes.count)])
            // Without its end it was not written whole, whatever it says.
            guard let end, let line = JournalLine(text), line.number == number + 1,
                line.batch == lastBatch + 1
            else {
                return try check(
                    bytes[place...],
                    isTail: lastBatch + 1,
                    lineNumber: number + 2,
                    path
                )
            }
            number += 1
            do {
                batch += try reader?(Data(text)) ?? [line.record.get()]
            } catch {
                throw .corrupt(
                    path: path,
                    line: number + 1,
                    reason: "it says what this build does not understand"
                )
            }
            place = end + 1
            guard line.last else { continue }
            for record in batch { take(record) }
            batch.removeAll(keepingCapacity: true)
            (lastNumber, lastBatch, length) = (number, line.batch, place)
        }
    }

    /// Whether what cannot be read is the end of the file, and no more than one batch of it.
    private func check(
        _ rest: Slice<UnsafeRawBufferPointer>,
        isTail batch: Int,
        lineNumber: Int,
        _ path: String
    ) throws(JournalError) {
        for text in rest.split(separator: JournalLine.end) {
            let line = JournalLine(UnsafeRawBufferPointer(rebasing: text))
            guard let line, line.batch > batch else { continue }
            throw .corrupt(
                path: path,
                line: lineNumber,
                reason: "it is not what was written, and more follows it"
            )
        }
    }
}
