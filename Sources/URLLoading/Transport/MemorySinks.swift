import FoundationEssentials

/// Hands a body on piece by piece, no more of it at once than the window holds.
final class DeliveringSink: BodySink {
    /// Bytes; below this a piece is copied out of its buffer: a delegate may keep what it gets, and
    /// is not to keep a large buffer for a small piece.
    private static let leastHandedOver = DeliveryBuffers.size / 4

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
        letGo()
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard window.hasRoom() else { return .full }
        add(bytes)
        return .taken
    }

    /// Takes bytes whether there is room or not.
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

    /// Says that so many bytes go to the delegate by another way than this sink's.
    func note(_ bytes: Int) {
        window.deliver(bytes)
    }

    func finish(_ end: inout HopEnd) {
        flush()
        letGo()
    }

    private func flush() {
        guard let buffer, filled > 0 else { return }
        let data: Data
        if filled < Self.leastHandedOver {
            data = Data(bytes: buffer.start, count: filled)
        } else {
            data = buffers.data(buffer, count: filled)
            self.buffer = nil
        }
        filled = 0
        window.deliver(data.count)
        deliver(data)
    }

    private func letGo() {
        if let buffer { buffers.giveBack(buffer) }
        buffer = nil
        buffers.close()
    }
}

/// Gathers a body in memory.
final class CollectingSink: BodySink {
    /// What an announced length may set aside before any of it has come, bytes.
    private static let greatestReserve = 16 << 20
    /// Progress is reported no more often than this.
    private static let interval: Duration = .milliseconds(100)

    private let report: (Int64) -> Void
    private var data = Data()
    private var reported = 0
    private var lastReport = MonotonicInstant.now

    /// - Parameters:
    ///   - length: the bytes that the server has announced.
    ///   - report: receives the count of bytes taken so far.
    init(expecting length: Int?, report: @escaping (Int64) -> Void = { _ in }) {
        self.report = report
        if let length, length > 0 { data.reserveCapacity(min(length, Self.greatestReserve)) }
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

    func finish(_ end: inout HopEnd) {
        end.collected = data
    }
}

/// Reads a body and forgets it, as far as that is cheaper than a new connection.
final class DiscardingSink: BodySink {
    /// Bytes; about what comes in the time a new connection takes.
    static let limit = 64 << 10
    /// How long the rest of a body may take; a new connection takes less.
    static let timeout: Duration = .milliseconds(100)

    private(set) var hasEnough: Bool
    private var taken = 0
    private let deadline = MonotonicInstant.now + timeout

    /// - Parameters:
    ///   - head: the response's head; `nil` where it is not HTTP's.
    ///   - method: the request's.
    init(_ head: HopHead? = nil, method: String = "GET") {
        let length = head?.bodyLength(method) ?? 0
        // A connection that ends with the body, or carries more than is read, serves no other request.
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

    func finish(_ end: inout HopEnd) {
        // The client has no use for the body, nor for the way it ended.
        end.error = nil
    }
}
