/// Keeping to a rate.
extension Transfer {
    /// Pauses a direction until its rate allows more.
    func hold(_ pause: Pauses) {
        pauses.insert(pause)
        if !turn.paced.contains(where: { $0 === self }) { turn.paced.append(self) }
    }

    /// Whether its rate is held down.
    var isPaced: Bool { receivePacer != nil || sendPacer != nil }

    /// When a direction that its rate holds may go on; `nil` where none is held.
    var pacedUntil: ContinuousClock.Instant? {
        let receiving = pauses.contains(.pacedReceiving) ? receivePacer?.nextByte : nil
        let sending = pauses.contains(.pacedSending) ? sendPacer?.nextByte : nil
        guard let receiving, let sending else { return receiving ?? sending }
        return min(receiving, sending)
    }

    /// Lets go on what its rate allows again.
    func resumePaced(_ now: ContinuousClock.Instant) {
        let before = pauses
        if let next = receivePacer?.nextByte, next <= now { pauses.remove(.pacedReceiving) }
        if let next = sendPacer?.nextByte, next <= now { pauses.remove(.pacedSending) }
        // Where others share the rate, one of them may have been faster.
        if pacedUntil != nil, !turn.paced.contains(where: { $0 === self }) {
            turn.paced.append(self)
        }
        guard pauses != before else { return }
        touch()
        applyPauses()
    }
}
