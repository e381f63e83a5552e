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

    func turnEnded() {
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
