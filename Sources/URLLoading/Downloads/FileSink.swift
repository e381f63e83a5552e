/// Writes one response's bytes to their place in a download's file, on the transport's thread, in
/// large pieces.
///
/// The response is the only one, or one of several that bring parts of the file at the same time.
/// In the second case the split download says how much of each piece is wanted, and is told what
/// was written.
final class FileSink: BodySink {
    /// Bytes; gathering libcurl's 16 KiB to this takes 0.3 to 0.8 of the CPU.
    private static let bufferSize = 512 << 10
    /// No byte waits longer to be written.
    private static let interval: Duration = .milliseconds(100)

    /// What a response brings of a file.
    enum Extent {
        /// All of it; the length is `nil` where the response does not say.
        case whole(length: Int64?)
        /// These bytes, which may be the last.
        case part(ClosedRange<Int64>, isLast: Bool)
        /// Word that the file is complete as it is.
        case nothing
        /// Some bytes, beside other responses.
        case stream(SplitStream)
    }

    private let download: Download
    /// `nil` where no other response brings bytes.
    private let stream: SplitStream?
    private let follower: FileDigest?
    private let report: (Int64) -> Void
    /// Where the first byte goes.
    private let start: Int64
    /// Where the response's bytes end, of several responses the last one's; `nil` where it is not
    /// known.
    private let end: Int64?
    /// Whether the response's end is that of the file, too.
    private let isLast: Bool
    /// Whether nothing is wanted of the response.
    private let isComplete: Bool
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    /// Where the buffer's first byte goes: all before it are in the file.
    private var written: Int64
    private var lastFlush = MonotonicInstant.now
    private var reservation: BlockReservation
    private var progress: DownloadProgress
    /// Of the bytes before `written`; `nil` where it is not wanted or not known.
    private var checksum: Checksum?

    /// - Parameters: - download: where to write. - extent: what is coming. - report: receives the number
    ///   of the file's bytes so far; of several responses the split download reports it.
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
        let size = end.map { [start] in Int(max(4 << 10, min($0 - start, Int64(Self.bufferSize)))) }
        buffer = .allocate(byteCount: size ?? Self.bufferSize, alignment: 4_096)
        reservation = BlockReservation(start: start)
        progress = DownloadProgress(from: start)
        guard download.keepsChecksum, stream == nil, Checksum.isAvailable else { return }
        let received = download.received
        checksum =
            start == 0
            ? Checksum()
            : received.prefix == start ? received.checksum.map { Checksum(value: $0) } : nil
    }

    /// The bytes that are in the file, where no other response brings some.
    private var received: ReceivedRanges {
        ReceivedRanges(prefix: written, checksum: checksum?.value)
    }

    deinit {
        buffer.deallocate()
    }

    /// Where the next byte goes.
    private var taken: Int64 { written + Int64(filled) }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        if let stream { return try take(bytes, of: stream) }
        guard !isComplete else { return .enough }
        guard Int64(bytes.count) <= (end ?? .max) - taken else {
            throw URLError(
                .badServerResponse,
                detail: "the response is longer than its Content-Length"
            )
        }
        try gather(bytes[...])
        return .taken
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer,
        of stream: SplitStream
    ) throws(URLError) -> SinkVerdict {
        var rest = bytes[...]
        while !rest.isEmpty {
            let grant = stream.split.grant(stream.number, rest.count)
            try gather(rest.prefix(grant.count))
            rest = rest.dropFirst(grant.count)
            if grant.isEnough || grant.count == 0 { return .enough }
        }
        return .taken
    }

    private func gather(_ bytes: Slice<UnsafeRawBufferPointer>) throws(URLError) {
        // The last bytes, with none before them, go without a copy: most small files come like that.
        if stream == nil, filled == 0, let end, !bytes.isEmpty,
            written + Int64(bytes.count) == end
        {
            return try write(UnsafeRawBufferPointer(rebasing: bytes))
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

    func finish(_ hop: inout HopEnd) throws(URLError) {
        guard stream == nil else { return try flush() }
        defer {
            download.received = received
            hop.download = download
        }
        // What cannot be written now either is simply not part of what was received.
        if hop.error != nil { try? flush() } else { try flush() }
        if reservation.end > written { try? download.file.cut(to: written) }
        if progress.isNew(taken) { report(taken) }
        guard hop.error == nil else { return }
        if let end, written != end {
            throw URLError(
                .networkConnectionLost,
                detail: "the response ended after \(written) of \(end) bytes"
            )
        }
        if !isLast {
            throw URLError(
                .networkConnectionLost,
                detail:
                    "the server sent the file up to byte \(written), but did not say that it ends there"
            )
        }
    }

    private func flush() throws(URLError) {
        guard filled > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        // What a failed call has taken comes again.
        filled = 0
        try write(bytes)
    }

    /// Writes bytes behind those that are in the file.
    private func write(_ bytes: UnsafeRawBufferPointer) throws(URLError) {
        let file = download.file
        // A body that is there at once is never found half done by another run.
        if stream == nil, written == start, written + Int64(bytes.count) != end {
            file.setAttribute()
        }
        // What a failed call has taken goes again. Of several responses it lies in front of the
        // others' bytes: there the split download gives all gaps back where the disk is full.
        if let end, !reservation.advance(in: file, to: written, of: end), stream == nil {
            try? file.cut(to: written)
        }
        do throws(URLError) {
            try file.write(bytes, at: written)
        } catch {
            // Some of it may be in the file: how much is not known, and it comes again.
            if stream == nil { try? file.cut(to: written) }
            throw error
        }
        written += Int64(bytes.count)
        checksum?.update(bytes)
        follower?.advance(to: written)
        if let stream { stream.split.wrote(stream.number, bytes.count) }
    }
}

/// Blocks that are set aside for a file, a little ahead of what is written to it.
///
/// The length of a body is what a server announced. So no more is set aside than has come already, and no
/// more than a small share of what the disk has free.
struct BlockReservation {
    /// Below this a call costs more than it saves, bytes.
    private static let least: Int64 = 1 << 20
    /// The most that is set aside ahead of the bytes, bytes.
    private static let most: Int64 = 64 << 20
    /// One call takes this part of the free blocks at the most.
    private static let shareOfFreeSpace: Int64 = 16

    /// Where the first byte was written.
    private let start: Int64
    /// Where the blocks end that were set aside.
    private(set) var end: Int64 = 0
    private var isOver = false

    /// - Parameter start: where the first byte goes.
    init(start: Int64) {
        self.start = start
    }

    /// Sets blocks aside, where it is time for that.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - position: where the next byte goes; what is before it has come.
    ///   - total: the length of the whole, as the server says.
    /// - Returns: `false` where the disk has refused; what the failed call took has to be given back.
    mutating func advance(in file: PartFile, to position: Int64, of total: Int64) -> Bool {
        let received = position - start
        guard !isOver, received >= Self.least, position + Self.least > end,
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
