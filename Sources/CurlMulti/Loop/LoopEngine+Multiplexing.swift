import CCurl

/// Keeping the streams of one HTTP/2 connection going.
extension LoopEngine {
    /// Has libcurl read on where one of several streams has ended.
    ///
    /// The stream that ended may have been the one for which libcurl was reading their connection.
    /// What it had taken off the socket by then, up to a TLS record with the last bytes of all the
    /// others, waits inside: libcurl 7.88.1 looks at it when the socket has more, which is never
    /// (one run in forty of sixty streams at once). Pausing a stream and letting it go on is what
    /// makes libcurl look at once.
    mutating func readOn() {
        guard !bereaved.isEmpty else { return }
        defer { bereaved = [] }
        var connections: Set<Int> = []
        for transfer in transfers.values
        where bereaved.contains(transfer.origin) && transfer.isReading {
            let socket = transfer.slot.handle.long(CURLINFO_LASTSOCKET)
            guard connections.insert(socket).inserted else { continue }
            transfer.readOn()
        }
    }
}

extension Transfer {
    /// Whether an answer may come at any moment.
    fileprivate var isReading: Bool {
        place == .running && !hasEnded && mayMultiplex && hasSentRequest && pauses.isEmpty
    }

    fileprivate func readOn() {
        _ = slot.handle.pause(CURLPAUSE_RECV)
        applyPauses()
    }
}
