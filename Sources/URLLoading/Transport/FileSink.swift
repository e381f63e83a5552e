/// Writes a body to its part file, on the transport's thread, in large pieces.
final class FileSink: BodySink {
    /// Bytes; gathering libcurl's 16 KiB to this takes 0.3 to 0.8 of the CPU.
    private static let bufferSize = 512 << 10
    /// Below this, setting blocks aside costs more than it saves.
    private static let leastReserve: Int64 = 1 << 20
    /// The most a server's word alone may set aside, bytes.
    private static let greatestReserve: Int64 = 1 << 30
    /// Progress is reported no more often than this, and no byte waits longer to be written.
    private static let interval: Duration = .milliseconds(100)
    /// How long a download lasts before its resume data is written, and how often it is then.
    private static let saveInterval: Duration = .seconds(1)

    private let file: PartFile
    private let record: DownloadRecord?
    private let length: Int64?
    private let report: (Int64) -> Void
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var reserved: Int64 = 0
    /// All counts are from the file's beginning.
    private var taken: Int64
    private var reported: Int64
    private var saved: Int64
    private var lastReport: ContinuousClock.Instant?
    private var lastFlush = ContinuousClock.now
    private var lastSave = ContinuousClock.now

    /// - Parameters:
    ///   - file: where to write.
    ///   - offset: what is in it.
    ///   - length: what is going to be in it; `nil` where the answer does not say.
    ///   - record: what it takes to go on with it, should it end early.
    ///   - report: told the bytes taken so far.
    init(
        _ file: PartFile,
        at offset: Int64 = 0,
        expecting length: Int64?,
        record: DownloadRecord?,
        report: @escaping (Int64) -> Void
    ) {
        self.file = file
        self.length = length
        self.record = record
        self.report = report
        taken = offset
        reported = offset
        saved = offset
        let rest = length.map { $0 - offset }
        let size = rest.map { Int(max(4 << 10, min($0, Int64(Self.bufferSize)))) }
        buffer = .allocate(byteCount: size ?? Self.bufferSize, alignment: 4_096)
        if let length, let rest, rest >= Self.leastReserve {
            reserved = min(length, Self.greatestReserve)
            file.reserve(reserved)
        }
    }

    deinit {
        buffer.deallocate()
    }

    /// The bytes that are in the file.
    private var written: Int64 { taken - Int64(filled) }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
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
            if record.save(receivedBytes: written) { saved = written }
        }
    }

    var nextTurn: ContinuousClock.Instant? {
        if filled > 0 { return lastFlush + Self.interval }
        guard let record, record.isKeptOnDisk, taken > saved else { return nil }
        return lastSave + Self.saveInterval
    }

    func finish(_ end: inout HopEnd) throws(URLError) {
        defer { end.file = WrittenFile(file: file, count: written, record: record) }
        // What cannot be written now either is simply not part of what was received.
        if end.error != nil { try? flush() } else { try flush() }
        if reserved > written { file.cut(to: written) }
        reportNow()
        if end.error == nil, let length, written != length {
            throw URLError(
                .networkConnectionLost,
                detail: "the answer ended after \(written) of \(length) bytes"
            )
        }
    }

    private func reportNow() {
        guard taken > reported else { return }
        reported = taken
        report(taken)
    }

    private func flush() throws(URLError) {
        guard filled > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        filled = 0
        do throws(URLError) {
            try file.append(bytes)
        } catch {
            // Some of it may be in the file: how much is not known, and it comes again.
            taken -= Int64(bytes.count)
            file.cut(to: taken)
            throw error
        }
    }
}
