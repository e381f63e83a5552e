import CCurl

extension Transfer {
    /// What libcurl's verdict, or our own, comes to.
    func failure(_ code: CurlCode) -> TransferFailure? {
        if let stopReason { return stopReason }
        guard code != .ok else {
            guard mayBeCutShort else { return nil }
            let words = "the connection ended without TLS saying so: the body may be cut short"
            return TransferFailure(.curl(.partialFile), detail: words)
        }
        // libcurl's verdict on a line above its 100 KiB; truly without memory we would not be here.
        if code == .outOfMemory {
            return TransferFailure(.malformedHead, detail: "a line of the head is over 100 KiB")
        }
        // libcurl's verdict on a line that goes on with a head's first one, or with a trailer.
        if code == .badFunctionArgument, hasConnected || hasSentRequest {
            return TransferFailure(
                .malformedHead,
                detail: slot.errorText ?? "the head of the answer begins with a blank"
            )
        }
        var failure = TransferFailure(.curl(code), detail: slot.errorText ?? code.description)
        failure.certificateVerdict = slot.handle.long(CURLINFO_SSL_VERIFYRESULT)
        failure.trust = trust
        failure.systemError = slot.handle.long(CURLINFO_OS_ERRNO)
        failure.lacksNetwork = lacksNetwork(code, failure.systemError)
        failure.proxyCertificateVerdict = slot.handle.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
        failure.connectStatus = slot.handle.long(CURLINFO_HTTP_CONNECTCODE)
        failure.connectHead = connectAnswer.refusal
        if failure.connectHead != nil { failure.reason = .tunnelRefused }
        return failure
    }
}
