extension Transfer {
    /// Takes one line of a proxy's answer to CONNECT; `false` ends the transfer.
    func takeConnectLine(_ line: UnsafeRawBufferPointer) -> Bool {
        switch connectAnswer.take(line) {
        case .more, .interim: return true
        case .head:
            guard let refusal = connectAnswer.refusal, !answersProxy else { return true }
            // What follows explains it to people, and need not come to an end.
            stopReason = TransferFailure(.tunnelRefused, detail: "the proxy opened no tunnel")
            stopReason?.connectHead = refusal
            stopReason?.connectStatus = refusal.status
            return false
        case .malformed:
            stopReason = TransferFailure(
                .malformedHead,
                detail: "the proxy's answer to CONNECT is not HTTP, or larger than 256 KiB"
            )
            return false
        }
    }
}
