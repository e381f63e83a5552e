/// Writes the body of one response at its offset in a download's file, in large pieces, on the
/// transport's thread.
///
/// The response may be one of several that contain parts of the file at the same time. Then the split
/// download grants the bytes of each piece, and the sink reports the bytes that it wrote.
final class FileSink: BodySink {
    /// Bytes; collecting libcurl's 16 KiB pieces up to this size reduces CPU time to 0.3 to 0.8 of the
    /// original.
    private static let bufferSize = 512 << 10
    /// The longest time that a byte stays in the buffer.
    private static let interval: Duration = .milliseconds(100)

    /// Which bytes of the file a response contains.
    enum Extent {
        /// The whole file; the length is `nil` where the response does not state it.
        case whole(length: Int64?)
        /// This range, which may be the last one.
        case part(ClosedRange<Int64>, isLast: Bool)
        /// None: the server confirmed that the file is already complete.
        case nothing
        /// A range, while other responses contain other ranges.
        case stream(SplitStream)
    }

    private let download: Download
    /// `nil` where no other response contains bytes of the file.
    private let stream: SplitStream?
    private let follower: FileDigest?
    private let report: (Int64) -> Void
    /// The file offset of the response's first byte.
    private let start: Int64
    /// The file offset behind the response's last byte, or the file's length for a stream; `nil`: unknown.
    private let end: Int64?
    /// Whether the end of the response is the end of the file.
    private let isLast: Bool
    /// Whether the file is already complete, and the sink needs no byte of the response.
    private let isComplete: Bool
    /// Allocated with the first copy: most small files need none.
    private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var filled = 0
    /// The file offset of the buffer's first byte; the sink has written all bytes before it.
    private var written: Int64
    private var lastFlush = MonotonicInstant.now
    private var reservation: BlockReservation
    private var progress: DownloadProgress
    /// The checksum of the bytes before `written`; `nil` if no resume data needs it, or it is unknown.
    private var checksum: Checksum?

    /// `report` receives the number of bytes of the file so far, except for a stream, whose split download
    /// reports.
    init(_ download: Download, _ extent: Extent, report: @escaping (Int64) -> Void = { _ in }) {
        self.download = download
        self.report = report
        follower = download.follower
        var stream: SplitStream?
        var isComplete = false
        switch extent {
        case .whole(let length): (start, end, isLast) = (0, length, true)
        case .part(let range, let isLast):
            (start, end, self.isLast) = (range.lowerBound, range.upperBound + 1, isLast)
        case .nothing:
            start = download.received.count
            (end, isLast, isComplete) = (start, true, true)
        case .stream(let one):
            (start, end, isLast) = (one.start, download.totalBytes, false)
            stream = one
        }
        self.stream = stream
        self.isComplete = isComplete
        written = start
        reservation = BlockReservation(start: start)
        progress = DownloadProgress(from: start)
        guard download.keepsChecksum, stream == nil, Checksum.isAvailable else { return }
        let received = download.received
        checksum =
            start == 0
            ? Checksum()
            : received.prefix == start ? received.checksum.map { Checksum(value: $0) } : nil
    }

    /// The bytes in the file, where no other response contains bytes.
    private var received: ReceivedRanges {
        ReceivedRanges(prefix: written, checksum: checksum?.value)
    }

    deinit {
        buffer.deallocate()
    }

    /// The file offset of the next byte to arrive.
    private var taken: Int64 { written + Int64(filled) }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        if let stream {
            var rest = bytes[...]
            while !rest.isEmpty {
                let grant = stream.split.grant(stream.number, rest.count)
                try gather(rest.prefix(grant.count))
                rest = rest.dropFirst(grant.count)
                if grant.isEnough || grant.count == 0 { return .enough }
            }
            return .taken
        }
        guard !isComplete else { return .enough }
        guard Int64(bytes.count) <= (end ?? .max) - taken else {
            let words = "the response is longer than its Content-Length"
            throw URLError(.badServerResponse, detail: words)
        }
        try gather(bytes[...])
        return .taken
    }

    private func gather(_ bytes: Slice<UnsafeRawBufferPointer>) throws(URLError) {
        // If the buffer is empty, the sink writes the last piece without a copy: most small files.
        if stream == nil, filled == 0, !bytes.isEmpty, written + Int64(bytes.count) == end {
            return try write(UnsafeRawBufferPointer(rebasing: bytes))
        }
        if buffer.isEmpty {
            let size = min((end ?? .max) - start, Int64(Self.bufferSize))
            buffer = .allocate(byteCount: Int(max(4 << 10, size)), alignment: 4_096)
        }
        var rest = bytes
        while !rest.isEmpty {
            let count = min(rest.count, buffer.count - filled)
            buffer[filled..<filled + count].copyBytes(from: rest.prefix(count))
            filled += count
            rest = rest.dropFirst(count)
            if filled == buffer.count { try flush() }
        }
    }

    func iterationEnded() throws(URLError) {
        let now = MonotonicInstant.now
        if stream == nil, progress.isDue(taken, at: now) { report(taken) }
        if now - lastFlush >= Self.interval {
            lastFlush = now
            try flush()
        }
        if let stream { return stream.split.iterationEnded(now) }
        guard download.isKeptOnDisk, progress.isSaveDue(written, at: now),
            download.save(received)
        else { return }
        progress.noteSaved(written)
    }

    var nextDeadline: MonotonicInstant? {
        let next =
            stream.map { $0.split.nextDeadline }
            ?? progress.next(
                taken: taken,
                written: written,
                isKeptOnDisk: filled == 0 && download.isKeptOnDisk
            )
        guard filled > 0 else { return next }
        let flush = lastFlush + Self.interval
        return next.map { min($0, flush) } ?? flush
    }

    func finish(_ hop: HopEnd) throws(URLError) {
        guard stream == nil else { return try flush() }
        defer {
            download.received = received
            hop.download = download
        }
        // After an error, bytes that the sink cannot write do not count as received.
        if hop.hasFailed { try? flush() } else { try flush() }
        if reservation.end > written { try? download.file.cut(to: written) }
        if progress.noteIfNew(taken) { report(taken) }
        guard !hop.hasFailed else { return }
        if let end, written != end {
            let words = "the response ended after \(written) of \(end) bytes"
            throw URLError(.networkConnectionLost, detail: words)
        }
        if !isLast {
            let words =
                "the server sent the file up to byte \(written), but did not say that it ends there"
            throw URLError(.networkConnectionLost, detail: words)
        }
    }

    private func flush() throws(URLError) {
        guard filled > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        // We empty the buffer before the write: the task requests bytes of a failed write again.
        filled = 0
        try write(bytes)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(URLError) {
        let file = download.file
        if stream == nil, written == start { file.setAttribute() }
        // We release the blocks that a failed reservation took. In a stream they lie before other streams'
        // bytes; there the split download releases all gaps when the disk is full.
        if let end, !reservation.advance(in: file, to: written, of: end), stream == nil {
            try? file.cut(to: written)
        }
        do throws(URLError) {
            try file.write(bytes, at: written)
        } catch {
            // An unknown number of these bytes may be in the file; the task requests all of them again.
            if stream == nil { try? file.cut(to: written) }
            throw error
        }
        written += Int64(bytes.count)
        checksum?.update(bytes)
        follower?.advance(to: written)
        if let stream { stream.split.wrote(stream.number, bytes.count) }
    }
}

/// Reserves disk blocks for a file, a little ahead of the written bytes.
///
/// The server states the length of the body, and may be wrong. So the reservation is never larger than
/// the bytes received so far, nor larger than a small share of the free disk space.
struct BlockReservation {
    /// Bytes; a smaller reservation costs more than it saves.
    private static let least: Int64 = 1 << 20
    /// The most bytes to reserve ahead of the written bytes.
    private static let most: Int64 = 64 << 20
    /// The divisor of the free disk space: one call reserves at most 1/16 of it.
    private static let shareOfFreeSpace: Int64 = 16

    /// The file offset of the first byte written.
    private let start: Int64
    /// The file offset behind the reserved blocks.
    private(set) var end: Int64 = 0
    private var isOver = false

    init(start: Int64) {
        self.start = start
    }

    /// Reserves blocks, if a reservation is due, for the bytes from `position` on of a file whose length the
    /// server states.
    ///
    /// Returns `false` where the disk refused; the caller must release the blocks that the call took.
    mutating func advance(in file: PartFile, to position: Int64, of total: Int64) -> Bool {
        let received = position - start
        guard !isOver, received >= Self.least, position.adding(clamping: Self.least) > end,
            total - max(position, end) >= Self.least
        else { return true }
        guard let free = file.freeSpace else {
            isOver = true
            return true
        }
        let first = max(position, end)
        let ahead = min(total - first, received, Self.most, free / Self.shareOfFreeSpace)
        guard ahead >= Self.least else { return true }
        guard file.reserve(first..<first + ahead) else {
            isOver = true
            return false
        }
        end = first + ahead
        return true
    }
}
