import FoundationEssentials

/// What carries out hops: one request, one response, nothing decided.
///
/// Its methods, and those of the hops it starts, return at once and make no callback, so they may
/// be called under a task's lock. What is asked for one hop is done in the order of asking. This is
/// the seam at which tests put a script in the engine's place.
protocol Transport: Sendable {
    /// Starts a hop. Its client hears of it until `didEnd`, which always comes, last and once.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - id: what the client knows it by.
    ///   - client: receives the hop's reports.
    /// - Returns: the hop, for further commands.
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

/// A hop under way; after its end all of this does nothing.
protocol RunningHop: Sendable {
    /// Decides about a head whose client had said `.hold`.
    func decide(_ disposition: BodyDisposition)

    /// Decides about a server whose client had no decision yet.
    func decide(_ disposition: TrustDisposition, about trust: ServerTrust)

    /// Says that the delegate has taken so many bytes of what was delivered.
    func consumed(_ bytes: Int)

    /// Suspends the hop.
    func suspend()

    /// Resumes the hop.
    func resume()

    /// Ends it with `cancelled`.
    func cancel()

    /// Changes its share of an HTTP/2 connection; 0 to 1.
    func setPriority(_ priority: Float)
}

/// The reports of a hop; called on the transport's own thread, and must return at once.
protocol HopClient: AnyObject, Sendable {
    /// The server has shown its certificates, and nothing of the request has left; `nil`: the
    /// response comes by `RunningHop.decide(_:about:)`.
    func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDisposition?

    /// The head of an interim response (1xx) has come.
    func hop(_ id: HopID, didReceiveInformational head: HopHead)

    /// The head of the response has come.
    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition

    /// The description of a response that is not HTTP's has come.
    func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition

    /// A response has come that has this loaded in its place.
    func hop(
        _ id: HopID,
        didReceive response: URLResponse,
        redirectingTo request: URLRequest
    ) -> BodyDisposition

    /// Parts of a body have come, of which one replaces the other; what is decided is about the last
    /// of them.
    func hop(_ id: HopID, didReceive parts: [ReceivedPart]) -> BodyDisposition

    /// A piece of the body, where it is delivered.
    func hop(_ id: HopID, didReceive data: Data)

    /// Bytes of the body, where it is delivered and taken where it lies (``ResponseContext/isTaken``).
    ///
    /// - Returns: how many are taken; where these are not all, `RunningHop.consumed` of
    ///   ``DeliveryWindow/limit`` says when it takes more.
    func hop(_ id: HopID, take bytes: UnsafeRawBufferPointer) -> Int

    /// So many bytes of the request's body have left in all.
    func hop(_ id: HopID, didSend total: Int64)

    /// The response's body continues its file from this offset; the length of the whole, if it is known.
    func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?)

    /// So many bytes of the response's body were written to its file, or gathered in memory, in all.
    func hop(_ id: HopID, didWrite total: Int64)

    /// A piece of libcurl's trace of the hop, if it is requested.
    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace)

    /// The hop has ended. Last, and once.
    func hop(_ id: HopID, didEnd end: HopEnd)
}

extension HopClient {
    /// Only a task follows redirects.
    func hop(
        _ id: HopID,
        didReceive response: URLResponse,
        redirectingTo request: URLRequest
    ) -> BodyDisposition { .discard }

    /// Only a task takes bytes so.
    func hop(_ id: HopID, take bytes: UnsafeRawBufferPointer) -> Int {
        hop(id, didReceive: Data(bytes))
        return bytes.count
    }

    /// They are handed on.
    func hop(_ id: HopID, didReceive parts: [ReceivedPart]) -> BodyDisposition {
        for part in parts where !part.body.isEmpty { hop(id, didReceive: part.body) }
        return .deliver
    }

    /// A part of a download does not report them.
    func hop(_ id: HopID, didReceiveInformational head: HopHead) {}

    /// The trace is for the delegates that ask for one.
    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace) {}
}

/// Names a hop of a task, by their order.
struct HopID: Hashable, Sendable {
    let number: Int
}
