// What a cache has to do with a task: responses that it has, and one that it is to keep.
extension TaskLifecycle {
    /// The response is discarded: the stored one is used, or the request is sent again.
    ///
    /// - Returns: whether the hop that is out was waiting for a response.
    mutating func leaves(_ id: HopID, for next: Next) -> Bool {
        guard case .requesting(id) = state else { return false }
        state = .leaving(id, next)
        return true
    }

    /// A hop begins that serves a stored response.
    mutating func serve() -> [Action] {
        isServingStored = true
        return goOn()
    }

    /// The delegate has had its say about what is kept.
    mutating func resolveCaching() -> [Action] {
        guard case .storing(let hopEnd) = state else { return [] }
        return end(nil, hopEnd)
    }
}
