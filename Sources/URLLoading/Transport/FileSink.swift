/// Writes a body to its part file, on the transport's thread, in large pieces.
final class FileSink: BodySink {
    /// Bytes; gathering libcurl's 16 KiB to this takes 0.3 to 0.8 of the CPU.
    private static let bufferSize = 512 << 10
    /// Below this, setting blocks aside costs more than it saves.
    private static let leastReserve: Int64 = 1 << 20
    /// The most a server's word alone may set aside, bytes.
    private static let greatestReserve: Int64 = 1 << 30

    private let file: PartFile
    private let report: (Int64) -> Void
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var reserved: Int64 = 0
    private var written: Int64 = 0
    private var reported: Int64 = 0
    private var lastReport: ContinuousClock.Instant?

    /// Progress is reported no more often than this.
    private static let reportInterval: Duration = .milliseconds(100)

    /// - Parameters:
    ///   - file: where to write.
    ///   - length: what the answer announces; `nil` where it does not.
    ///   - report: told the bytes taken so far.
    init(_ file: PartFile, expecting length: Int64?, report: @escaping (Int64) -> Void) {
        self.file = file
        self.report = report
        let size = length.map { Int(max(4 << 10, min($0, Int64(Self.bufferSize)))) }
        buffer = .allocate(byteCount: size ?? Self.bufferSize, alignment: 4_096)
        if let length, length >= Self.leastReserve {
            reserved = min(length, Self.greatestReserve)
            file.reserve(reserved)
        }
    }

    deinit {
        buffer.deallocate()
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, buffer.count - filled)
            buffer[filled..<filled + count].copyBytes(from: rest.prefix(count))
            filled += count
            rest = rest.dropFirst(count)
            if filled == buffer.count { try flush() }
        }
        written += Int64(bytes.count)
        return .taken
    }

    func turnEnded() {
        let now = ContinuousClock.now
        guard lastReport.map({ now - $0 >= Self.reportInterval }) ?? true else { return }
        lastReport = now
        reportNow()
    }

    func finish(_ end: inout HopEnd) throws(URLError) {
        try flush()
        if reserved > written { file.giveBack(beyond: written) }
        reportNow()
        end.file = file
    }

    private func reportNow() {
        guard written > reported else { return }
        reported = written
        report(written)
    }

    private func flush() throws(URLError) {
        guard filled > 0 else { return }
        try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        filled = 0
    }
}
