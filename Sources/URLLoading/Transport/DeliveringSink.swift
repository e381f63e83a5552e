import FoundationEssentials

/// Hands a body on piece by piece, no more of it at once than the window holds.
final class DeliveringSink: BodySink {
    /// Bytes; libcurl's pieces are 16 KiB at most, and each delivery costs a turn of a queue.
    private static let pieceSize = 256 << 10
    /// Bytes; as much as libcurl hands over at once.
    private static let largePiece = 16 << 10

    private let window: DeliveryWindow
    private let deliver: (Data) -> Void
    private var gathered = Data()

    init(_ window: DeliveryWindow, deliver: @escaping (Data) -> Void) {
        self.window = window
        self.deliver = deliver
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard window.hasRoom() else { return .full }
        // Only what follows a first piece in the same turn shows that there is much to gather.
        if gathered.count >= Self.largePiece, gathered.count < 2 * Self.largePiece {
            gathered.reserveCapacity(Self.pieceSize)
        }
        gathered.append(contentsOf: bytes)
        if gathered.count + bytes.count > Self.pieceSize { flush() }
        return .taken
    }

    func turnEnded() {
        flush()
    }

    func finish(_ end: inout HopEnd) {
        flush()
    }

    private func flush() {
        guard !gathered.isEmpty else { return }
        window.deliver(gathered.count)
        deliver(gathered)
        gathered = Data()
    }
}
