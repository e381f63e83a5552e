/// What waits to be sent to somebody who may take their time: bounded, so that who stalls costs no
/// memory and holds nobody up.
struct Outbox {
    /// What may wait before nothing that can be left out is added, bytes.
    static let lossyLimit = 64 << 10
    /// What may wait before whoever has more is to wait with it, bytes.
    static let sureLimit = 256 << 10

    private var bytes: [UInt8] = []
    private var sent = 0

    /// The bytes that wait.
    var count: Int { bytes.count - sent }

    /// Whether another thing that must not be lost is better kept where it is for now: in the
    /// journal.
    var isFull: Bool { count >= Self.sureLimit }

    /// Adds a frame.
    mutating func push(_ frame: [UInt8]) {
        if sent > 0, sent == bytes.count || sent > 64 << 10 {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes += frame
    }

    /// Adds a frame that can be left out; whether it was not.
    mutating func pushLossy(_ frame: [UInt8]) -> Bool {
        guard count + frame.count <= Self.lossyLimit else { return false }
        push(frame)
        return true
    }

    /// Has the bytes that wait sent.
    ///
    /// - Parameter send: takes them, and returns how many it has.
    mutating func drain(_ send: (UnsafeRawBufferPointer) -> Int) {
        while count > 0 {
            let sent = sent
            let taken = bytes.withUnsafeBytes {
                send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            guard taken > 0 else { return }
            self.sent += taken
        }
    }
}
