/// Writes a body to its part file, on the transport's thread, in large pieces.
final class FileSink: BodySink {
    /// Bytes; gathering libcurl's 16 KiB to this takes 0.3 to 0.8 of the CPU.
    private static let bufferSize = 512 << 10
    /// Progress is reported no more often than this, and no byte waits longer to be written.
    private static let interval: Duration = .milliseconds(100)
    /// How long a download lasts before its resume data is written, and how often it is then.
    private static let saveInterval: Duration = .seconds(1)

    private let file: PartFile
    private let record: DownloadRecord?
    /// What reads it behind this; `nil` where nobody wants to know.
    private let follower: FileFollower?
    /// Where the answer's bytes end; `nil` where it does not say.
    private let end: Int64?
    /// Where they begin.
    private let start: Int64
    /// Whether that is the end of the file, too.
    private let isLast: Bool
    private let report: (Int64) -> Void
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var reservation: BlockReservation
    /// All counts are from the file's beginning.
    private var taken: Int64
    private var reported: Int64
    private var saved: Int64
    private var lastReport: ContinuousClock.Instant?
    private var lastFlush = ContinuousClock.now
    private var lastSave = ContinuousClock.now
    private var isWhole = false

    /// What an answer brings of a file.
    enum Extent {
        /// All of it; the length is `nil` where the answer does not say.
        case whole(length: Int64?)
        /// These bytes, which may be the last.
        case part(ClosedRange<Int64>, isLast: Bool)
    }

    /// - Parameters:
    ///   - file: where to write.
    ///   - extent: what is coming.
    ///   - record: what it takes to go on with it, should it end early.
    ///   - follower: what makes its digest.
    ///   - report: told the bytes taken so far.
    init(
        _ file: PartFile,
        _ extent: Extent,
        record: DownloadRecord?,
        follower: FileFollower? = nil,
        report: @escaping (Int64) -> Void
    ) {
        self.file = file
        self.record = record
        self.follower = follower
        self.report = report
        let offset: Int64
        switch extent {
        case .whole(let length): (offset, end, isLast) = (0, length, true)
        case .part(let range, let isLast):
            (offset, end, self.isLast) = (range.lowerBound, range.upperBound + 1, isLast)
        }
        start = offset
        taken = offset
        reported = offset
        saved = offset
        let rest = end.map { $0 - offset }
        let size = rest.map { Int(max(4 << 10, min($0, Int64(Self.bufferSize)))) }
        buffer = .allocate(byteCount: size ?? Self.bufferSize, alignment: 4_096)
        reservation = BlockReservation(start: offset)
    }

    deinit {
        buffer.deallocate()
        if !isWhole { follower?.digest.stop() }
    }

    /// The bytes that are in the file.
    private var written: Int64 { taken - Int64(filled) }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        guard Int64(bytes.count) <= (end ?? .max) - taken else {
            throw URLError(.badServerResponse, detail: "the answer is longer than it said")
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, buffer.count - filled)
            buffer[filled..<filled + count].copyBytes(from: rest.prefix(count))
            filled += count
            taken += Int64(count)
            rest = rest.dropFirst(count)
            if filled == buffer.count { try flush() }
        }
        return .taken
    }

    func turnEnded() throws(URLError) {
        let now = ContinuousClock.now
        if lastReport.map({ now - $0 >= Self.interval }) ?? true {
            lastReport = now
            reportNow()
        }
        if now - lastFlush >= Self.interval {
            lastFlush = now
            try flush()
        }
        if let record, now - lastSave >= Self.saveInterval, written > saved {
            lastSave = now
            if record.save(DownloadRecord.Received(count: written)) { saved = written }
        }
    }

    var nextTurn: ContinuousClock.Instant? {
        let report = taken > reported ? lastReport.map { $0 + Self.interval } : nil
        let flush = filled > 0 ? lastFlush + Self.interval : nil
        if let report, let flush { return min(report, flush) }
        if let next = report ?? flush { return next }
        guard let record, record.isKeptOnDisk, taken > saved else { return nil }
        return lastSave + Self.saveInterval
    }

    func finish(_ hop: inout HopEnd) throws(URLError) {
        defer { hop.file = WrittenFile(file: file, count: written, record: record) }
        // What cannot be written now either is simply not part of what was received.
        if hop.error != nil { try? flush() } else { try flush() }
        if reservation.end > written { file.cut(to: written) }
        reportNow()
        guard hop.error == nil else { return }
        if let end, written != end {
            throw URLError(
                .networkConnectionLost,
                detail: "the answer ended after \(written) of \(end) bytes"
            )
        }
        if !isLast {
            throw URLError(
                .networkConnectionLost,
                detail: "the server sent the file up to byte \(written), and not that it ends there"
            )
        }
        isWhole = true
        hop.fileCheck = follower?.check(at: written)
    }

    private func reportNow() {
        guard taken > reported else { return }
        reported = taken
        report(taken)
    }

    private func flush() throws(URLError) {
        guard filled > 0 else { return }
        // A body that is there at once is never found half done by another run.
        if written == start, taken != end { file.mark() }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        if let end, !reservation.advance(in: file, to: written, of: end) { file.cut(to: written) }
        filled = 0
        do throws(URLError) {
            try file.append(bytes)
            follower?.digest.advance(to: taken)
        } catch {
            // Some of it may be in the file: how much is not known, and it comes again.
            taken -= Int64(bytes.count)
            file.cut(to: taken)
            throw error
        }
    }
}
