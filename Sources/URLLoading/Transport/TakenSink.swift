/// Hands a body's bytes to a client that takes them where libcurl has them, without a copy.
///
/// What the client does not take of a piece is buffered here, and the transfer is paused until the
/// client says that it takes more. The window counts as full meanwhile.
final class TakenSink: BodySink {
    private let window: DeliveryWindow
    private let client: (UnsafeRawBufferPointer) -> Int
    /// What the client has not taken of a piece.
    private var rest: [UInt8] = []

    /// - Parameters:
    ///   - window: the client's window.
    ///   - client: takes bytes; returns how many of them.
    init(_ window: DeliveryWindow, client: @escaping (UnsafeRawBufferPointer) -> Int) {
        self.window = window
        self.client = client
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard goOn() == .taken else { return .full }
        let count = hand(bytes)
        if count < bytes.count { rest = Array(bytes[count...]) }
        return .taken
    }

    var isDrained: Bool { rest.isEmpty }

    func goOn() -> SinkVerdict {
        guard !rest.isEmpty else { return .taken }
        // Each refusal is made good by one word of the client's: until then it is not asked again.
        guard window.hasRoom() else { return .full }
        rest.removeFirst(rest.withUnsafeBytes(hand))
        return rest.isEmpty ? .taken : .full
    }

    func finish(_ end: inout HopEnd) {}

    func iterationEnded() {}

    /// - Returns: how many bytes were taken; fewer than all where the client is going to say when it takes
    ///   more.
    private func hand(_ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < bytes.count {
            taken += client(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
            if taken == bytes.count { break }
            window.deliver(DeliveryWindow.limit)
            // It may have said so meanwhile.
            guard window.hasRoom() else { break }
        }
        return taken
    }
}
