// Streams that were refused: whoever of a connection's transfers reads it has to hear of it.
extension LoopEngine {
    /// A transfer begins that may be repeated only where it was refused.
    ///
    /// Those that run already are traced from now on; those that begin later see for themselves.
    mutating func traceGoaways() {
        turn.noting += 1
        guard turn.noting == 1 else { return }
        for other in transfers.values where other.mayMultiplex && !other.hasEnded {
            try? other.trace()
        }
    }

    /// A transfer is over.
    mutating func stopTracing(for transfer: Transfer) {
        guard transfer.notesRefusals else { return }
        transfer.lookForRefusal()
        turn.noting -= 1
        if turn.noting == 0 { turn.lastStreams = [:] }
    }
}
