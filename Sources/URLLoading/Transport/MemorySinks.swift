import FoundationEssentials

/// Delivers a body in pieces, as far as the window has room.
final class DeliveringSink: BodySink {
    /// Bytes; the sink copies a smaller piece, because a delegate that keeps it must not retain a large
    /// buffer.
    private static let minimumHandedOver = DeliveryBuffers.size / 4

    private let window: DeliveryWindow
    private let deliver: (Data) -> Void
    private let buffers = DeliveryBuffers()
    private var buffer: DeliveryBuffers.Buffer?
    private var filled = 0

    init(_ window: DeliveryWindow, deliver: @escaping (Data) -> Void) {
        self.window = window
        self.deliver = deliver
    }

    deinit {
        releaseBuffer()
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard window.hasRoom() else { return .full }
        add(bytes)
        return .taken
    }

    /// Adds bytes even if the window has no room.
    func add(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let buffer = buffer ?? buffers.take()
            self.buffer = buffer
            let count = min(rest.count, DeliveryBuffers.size - filled)
            buffer.bytes[filled..<filled + count].copyBytes(from: rest.prefix(count))
            filled += count
            rest = rest.dropFirst(count)
            if filled == DeliveryBuffers.size { flush() }
        }
    }

    func iterationEnded() {
        flush()
    }

    /// Counts bytes that reach the delegate by another path.
    func note(_ bytes: Int) {
        window.deliver(bytes)
    }

    func finish(_ end: HopEnd) {
        flush()
        releaseBuffer()
    }

    private func flush() {
        guard let buffer, filled > 0 else { return }
        let data: Data
        if filled < Self.minimumHandedOver {
            data = Data(bytes: buffer.start, count: filled)
        } else {
            data = buffers.data(buffer, count: filled)
            self.buffer = nil
        }
        filled = 0
        window.deliver(data.count)
        deliver(data)
    }

    private func releaseBuffer() {
        if let buffer { buffers.recycle(buffer) }
        buffer = nil
        buffers.close()
    }
}

/// Collects a body in memory.
final class CollectingSink: BodySink {
    /// The most bytes to reserve for a stated length before any byte arrives.
    private static let maximumReserve = 16 << 20
    /// The shortest time between two progress reports.
    private static let interval: Duration = .milliseconds(100)

    private let report: (Int64) -> Void
    private var data = Data()
    private var reported = 0
    private var lastReport = MonotonicInstant.now

    /// `length` is what the server stated, bytes; `report` receives the number of bytes so far.
    init(expecting length: Int?, report: @escaping (Int64) -> Void = { _ in }) {
        self.report = report
        if let length, length > 0 { data.reserveCapacity(min(length, Self.maximumReserve)) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        data.append(contentsOf: bytes)
        return .taken
    }

    func iterationEnded() {
        guard data.count > reported else { return }
        let now = MonotonicInstant.now
        guard now - lastReport >= Self.interval else { return }
        lastReport = now
        reported = data.count
        report(Int64(data.count))
    }

    var nextDeadline: MonotonicInstant? {
        data.count > reported ? lastReport + Self.interval : nil
    }

    func finish(_ end: HopEnd) {
        end.collected = data
    }
}

/// Reads and drops a body, as long as that is cheaper than a new connection.
final class DiscardingSink: BodySink {
    /// Bytes; about as many as arrive while libcurl opens a new connection.
    static let limit = 64 << 10
    /// The longest time for the rest of a body; a new connection takes less.
    static let timeout: Duration = .milliseconds(100)

    private(set) var hasEnough: Bool
    private var taken = 0
    private let deadline = MonotonicInstant.now + timeout

    /// The head is `nil` for a non-HTTP response.
    init(_ head: HopHead? = nil, method: String = "GET") {
        let length = head?.bodyLength(method) ?? 0
        // A connection that ends with the body, or has more bytes than the limit, is not reused.
        hasEnough = head?.endsWithConnection(method) == true || length > Int64(Self.limit)
    }

    var nextDeadline: MonotonicInstant? { hasEnough ? nil : deadline }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        taken += bytes.count
        return hasEnough || taken > Self.limit ? .enough : .taken
    }

    func iterationEnded() {
        if MonotonicInstant.now >= deadline { hasEnough = true }
    }

    func finish(_ end: HopEnd) {
        // The task does not use the body, so an error after its head does not matter.
        end.error = nil
    }
}
