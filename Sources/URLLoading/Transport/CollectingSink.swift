import FoundationEssentials

/// Gathers a body in memory.
final class CollectingSink: BodySink {
    /// What an announced length may set aside before any of it has come, bytes.
    private static let greatestReserve = 16 << 20

    private var data = Data()

    init(expecting length: Int?) {
        if let length, length > 0 { data.reserveCapacity(min(length, Self.greatestReserve)) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        data.append(contentsOf: bytes)
        return .taken
    }

    func turnEnded() {}

    func finish(_ end: inout HopEnd) {
        end.collected = data
    }
}
