// The cache: stored responses that the task uses, and responses to store.
extension TaskLifecycle {
    /// Discards the response: the task serves the stored one, or sends the request again.
    ///
    /// - Returns: whether the current hop was waiting for a response.
    mutating func discardResponse(of id: HopID, for next: Next) -> Bool {
        guard case .requesting(id) = state else { return false }
        state = .leaving(id, next)
        return true
    }

    /// Begins a hop that serves a stored response.
    mutating func serve() -> [Action] {
        isServingStored = true
        return beginNextHop()
    }

    /// Ends the task after the delegate has decided about storing the response.
    mutating func resolveCaching() -> [Action] {
        guard case .storing(let hopEnd) = state else { return [] }
        return end(nil, hopEnd)
    }
}
