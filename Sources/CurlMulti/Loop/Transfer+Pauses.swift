import CCurl

extension Transfer {
    /// What holds a transfer up; the idle clock stands still meanwhile, since it is not the
    /// network that is slow.
    struct Pauses: OptionSet {
        let rawValue: UInt8
        /// The handler has no room.
        static let receiving = Pauses(rawValue: 1)
        /// The handler has nothing to send yet.
        static let sending = Pauses(rawValue: 2)
        /// Somebody suspended the task.
        static let suspended = Pauses(rawValue: 4)
        /// More has come than its rate allows.
        static let pacedReceiving = Pauses(rawValue: 8)
        /// More has been sent than its rate allows.
        static let pacedSending = Pauses(rawValue: 16)
        /// The handler has not decided about the server.
        static let deciding = Pauses(rawValue: 32)

        /// What stops the answer.
        static let stopReceiving: Pauses = [.receiving, .suspended, .pacedReceiving]
        /// What stops the request's body.
        static let stopSending: Pauses = [.sending, .suspended, .pacedSending]
    }

    /// Tells libcurl which directions are to stand still.
    ///
    /// Going on may call the callbacks before this returns, and they may pause again.
    func applyPauses() {
        guard !hasEnded, hasSentRequest else { return }
        var mask: Int32 = 0
        if !pauses.isDisjoint(with: .stopReceiving) { mask |= CURLPAUSE_RECV }
        if !pauses.isDisjoint(with: .stopSending) { mask |= CURLPAUSE_SEND }
        _ = slot.handle.pause(mask)
    }
}
