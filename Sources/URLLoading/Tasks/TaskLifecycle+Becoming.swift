import FoundationEssentials

// A data task whose delegate wants a file: a download continues its life.
extension TaskLifecycle {
    /// Ends this life, and gives its state to another one: the hop, the clock, the redirects
    /// and the credentials.
    ///
    /// - Returns: the life of a download, which still has to ask where to.
    mutating func handOver() -> TaskLifecycle {
        var download = self
        download.responsePolicy.body = .askDestination
        state = .ended
        return download
    }

    /// Asks a download's question about the response that the data task was asked about.
    ///
    /// Nothing where the download has been cancelled meanwhile.
    mutating func received(inherited response: URLResponse, of id: HopID) -> [Action] {
        guard case .deciding(id, .response) = state else { return [] }
        let (disposition, actions) =
            (response as? HTTPURLResponse).map { judge($0, id) } ?? accept(response, id)
        if case .hold = disposition { return actions }
        return [.decide(disposition)] + actions
    }
}
