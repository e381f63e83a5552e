// What a handler asks of its transfer.
extension Transfer: TransferControl {
    func resumeReceiving() {
        guard pauses.contains(.receiving) else { return }
        pauses.remove(.receiving)
        touch()
        applyPauses()
    }

    func release() {
        isReleased = true
    }
}
