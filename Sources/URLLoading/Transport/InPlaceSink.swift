/// Passes a body's bytes to a client directly from libcurl's buffer, without a copy.
///
/// The rest of a piece that the client did not take is buffered here. The transfer pauses until the
/// client reports room; meanwhile the window counts as full.
final class InPlaceSink: BodySink {
    private let window: DeliveryWindow
    /// Takes bytes, and returns their number.
    private let client: (UnsafeRawBufferPointer) -> Int
    /// The bytes of a piece that the client has not taken.
    private var rest: [UInt8] = []

    init(_ window: DeliveryWindow, client: @escaping (UnsafeRawBufferPointer) -> Int) {
        self.window = window
        self.client = client
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard flushPending() == .taken else { return .full }
        let count = deliver(bytes)
        if count < bytes.count { rest = Array(bytes[count...]) }
        return .taken
    }

    var isDrained: Bool { rest.isEmpty }

    func flushPending() -> SinkVerdict {
        guard !rest.isEmpty else { return .taken }
        // After each refusal the sink calls the client again only when the client has reported room.
        guard window.hasRoom() else { return .full }
        rest.removeFirst(rest.withUnsafeBytes(deliver))
        return rest.isEmpty ? .taken : .full
    }

    func finish(_ end: HopEnd) {}

    func iterationEnded() {}

    /// - Returns: the number of bytes taken; if fewer than all, the client will report room.
    private func deliver(_ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < bytes.count {
            taken += client(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
            if taken == bytes.count { break }
            window.deliver(DeliveryWindow.limit)
            // The client may have reported room meanwhile.
            guard window.hasRoom() else { break }
        }
        return taken
    }
}
