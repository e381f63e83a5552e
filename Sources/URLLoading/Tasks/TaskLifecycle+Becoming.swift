import FoundationEssentials

// A data task whose delegate chose a file: a download takes over its life cycle.
extension TaskLifecycle {
    /// Ends this life cycle, and passes its state on: the hop, the clock, the redirects and the credentials.
    ///
    /// - Returns: the life cycle of a download, whose delegate is still to be asked for a destination.
    mutating func handOver() -> TaskLifecycle {
        var download = self
        download.responsePolicy.body = .askDestination
        state = .ended
        return download
    }

    /// Continues with the response that the data task's delegate was asked about.
    ///
    /// Returns no action where the download was cancelled meanwhile.
    mutating func received(inherited response: URLResponse, of id: HopID) -> [Action] {
        guard case .deciding(id, .response) = state else { return [] }
        let (disposition, actions) =
            (response as? HTTPURLResponse).map { judge($0, id) } ?? accept(response, id)
        if case .hold = disposition { return actions }
        return [.decide(disposition)] + actions
    }
}
