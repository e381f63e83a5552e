import FoundationEssentials

/// Gathers a body in memory.
final class CollectingSink: BodySink {
    /// What an announced length may set aside before any of it has come, bytes.
    private static let greatestReserve = 16 << 20
    /// Progress is reported no more often than this.
    private static let interval: Duration = .milliseconds(100)

    private let report: (Int64) -> Void
    private var data = Data()
    private var reported = 0
    private var lastReport = ContinuousClock.now

    /// - Parameters:
    ///   - length: the bytes that the server has announced.
    ///   - report: told the bytes taken so far.
    init(expecting length: Int?, report: @escaping (Int64) -> Void = { _ in }) {
        self.report = report
        if let length, length > 0 { data.reserveCapacity(min(length, Self.greatestReserve)) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        data.append(contentsOf: bytes)
        return .taken
    }

    func turnEnded() {
        guard data.count > reported else { return }
        let now = ContinuousClock.now
        guard now - lastReport >= Self.interval else { return }
        lastReport = now
        reported = data.count
        report(Int64(data.count))
    }

    var nextTurn: ContinuousClock.Instant? {
        data.count > reported ? lastReport + Self.interval : nil
    }

    func finish(_ end: inout HopEnd) {
        end.collected = data
    }
}
