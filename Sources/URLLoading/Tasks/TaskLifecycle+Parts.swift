// Responses whose body consists of parts, each of which replaces the one before.
extension TaskLifecycle {
    /// Handles the head of the next part; the task asks the delegate again, as for the whole response.
    mutating func received(
        part response: HTTPURLResponse,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard case .receiving(id) = state else { return (.discard, []) }
        isPart = true
        switch responsePolicy.body {
        case .askResponse, .settled(.collect), .settled(.deliver): return accept(response, id)
        // A body that goes to a file stays one piece, with all its parts.
        case .askDestination, .settled: return (.discard, [])
        }
    }
}
