// Responses whose body comes in parts that replace one another.
extension TaskLifecycle {
    /// Takes the head of the next part, about which the delegate is asked as about the whole.
    mutating func received(
        part response: HTTPURLResponse,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard case .receiving(id) = state else { return (.discard, []) }
        isPart = true
        switch responsePolicy.body {
        case .askResponse, .settled(.collect), .settled(.deliver): return accept(response, id)
        // A body that goes to a file goes there in one piece.
        case .askDestination, .settled: return (.discard, [])
        }
    }
}
