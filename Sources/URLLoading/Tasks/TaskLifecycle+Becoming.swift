import FoundationEssentials

// A data task whose delegate chose a file: a download takes over its life cycle.
extension TaskLifecycle {
    /// Ends this life cycle, and passes its state on: the hop, the clock, the redirects and the credentials.
    ///
    /// - Returns: the life cycle of a download, which must still ask its delegate for a destination.
    mutating func handOver() -> TaskLifecycle {
        var download = self
        download.responsePolicy.body = .askDestination
        state = .ended
        return download
    }

    /// Continues with the response about which the data task has asked its delegate.
    ///
    /// Returns no action if the caller has cancelled the download meanwhile.
    mutating func received(inherited response: URLResponse, of id: HopID) -> [Action] {
        guard case .deciding(id, .response) = state else { return [] }
        let (disposition, actions) =
            (response as? HTTPURLResponse).map { judge($0, id) } ?? accept(response, id)
        if case .hold = disposition { return actions }
        return [.decide(disposition)] + actions
    }
}
