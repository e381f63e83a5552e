/// Writes one stream's bytes to their place in the file, on its transport's thread, in large pieces.
final class SplitSink: BodySink {
    /// Bytes, as `FileSink` gathers them.
    private static let bufferSize = 512 << 10
    /// No byte waits longer to be written.
    private static let interval: Duration = .milliseconds(100)

    private let stream: SplitStream
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: SplitSink.bufferSize,
        alignment: 4_096
    )
    private var filled = 0
    /// Where the buffer's first byte goes.
    private var offset: Int64
    private var lastFlush = ContinuousClock.now
    private var reservation: BlockReservation

    init(_ stream: SplitStream) {
        self.stream = stream
        offset = stream.start
        reservation = BlockReservation(start: stream.start)
    }

    deinit {
        buffer.deallocate()
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        var rest = bytes[...]
        while !rest.isEmpty {
            let claim = stream.download.claim(stream.number, rest.count)
            try gather(rest.prefix(claim.count))
            rest = rest.dropFirst(claim.count)
            if claim.isEnough || claim.count == 0 { return .enough }
        }
        return .taken
    }

    private func gather(_ bytes: Slice<UnsafeRawBufferPointer>) throws(URLError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = min(rest.count, buffer.count - filled)
            buffer[filled..<filled + count].copyBytes(from: rest.prefix(count))
            filled += count
            rest = rest.dropFirst(count)
            if filled == buffer.count { try flush() }
        }
    }

    func turnEnded() throws(URLError) {
        let now = ContinuousClock.now
        if now - lastFlush >= Self.interval {
            lastFlush = now
            try flush()
        }
        stream.download.turnEnded(now)
    }

    var nextTurn: ContinuousClock.Instant? {
        filled > 0 ? lastFlush + Self.interval : stream.download.nextTurn
    }

    func finish(_ end: inout HopEnd) throws(URLError) {
        try flush()
    }

    private func flush() throws(URLError) {
        guard filled > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        filled = 0
        // What a failed call has taken lies in front of other streams' bytes. The download gives all
        // gaps back where the disk is full.
        _ = reservation.advance(in: stream.file, to: offset, of: stream.total)
        try stream.file.write(bytes, at: offset)
        offset += Int64(bytes.count)
        stream.download.wrote(stream.number, bytes.count)
    }
}
