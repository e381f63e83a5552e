/// What carries out hops: one request, one answer, nothing decided.
///
/// Its methods, and those of the hops it starts, return at once and call nobody back, so they may
/// be called under a task's lock; what is asked for one hop is done in the order of asking. This is
/// the seam at which tests put a script in the engine's place.
protocol Transport: Sendable {
    /// Starts a hop. Its client hears of it until `didEnd`, which always comes, last and once.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - id: what the client knows it by.
    ///   - client: who is told.
    /// - Returns: the hop, to be told more.
    /// - Throws: without any call to the client, where the hop cannot even begin.
    func start(
        _ request: HopRequest,
        id: HopID,
        client: any HopClient
    ) throws(URLError) -> any RunningHop

    /// Says that nothing will be started any more.
    func finish()

    /// Has what is started from now on use none of the connections that there are; what is under way keeps
    /// its own.
    func renewConnections()
}

extension Transport {
    /// One that holds no connections has none to renew.
    func renewConnections() {}
}
