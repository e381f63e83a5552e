import FoundationEssentials

/// Carries out hops, each of which is one request and one response.
///
/// It makes no decisions.
///
/// All methods, and those of a running hop, return at once and make no callback, so a task may call them
/// under its lock. Calls for one hop take effect in their order. Tests replace the engine with a scripted
/// transport here.
protocol Transport: Sendable {
    /// Starts a hop. The hop calls its client until `didEnd`, which it calls exactly once, as the last
    /// report.
    ///
    /// Throws where the hop cannot be started; the client is then not called.
    func start(
        _ request: HopRequest,
        id: HopID,
        client: any HopClient
    ) throws(URLError) -> any RunningHop

    /// Announces that no further hop will be started.
    func finish()

    /// Makes later hops use new connections; running hops keep theirs.
    func renewConnections()
}

extension Transport {
    func renewConnections() {}
}

/// A running hop; after its end no method has an effect.
protocol RunningHop: Sendable {
    /// Decides about a body whose client returned `.hold`.
    func decide(_ disposition: BodyDisposition)

    /// Decides about a server whose client returned `nil`.
    func decide(_ disposition: TrustDecision, about trust: ServerTrust)

    /// Reports that the delegate has taken this many delivered bytes.
    func consumed(_ bytes: Int)

    func suspend()

    func resume()

    /// Ends the hop with `cancelled`.
    func cancel()

    /// Changes the hop's share of an HTTP/2 connection, 0 to 1.
    func setPriority(_ priority: Float)

    var responseControl: ResponseControl? { get }
}

extension RunningHop {
    var responseControl: ResponseControl? { nil }
}

/// Receives the reports of a hop, on the transport's thread; every method must return at once.
protocol HopClient: AnyObject, Sendable {
    /// The server has presented its certificates, and the hop has sent no request; `nil`: the decision
    /// follows by `RunningHop.decide(_:about:)`.
    func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDecision?

    /// The head of an interim response (1xx) has arrived.
    func hop(_ id: HopID, didReceiveInformational head: HopHead)

    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition

    /// A non-HTTP response has arrived.
    func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition

    /// A response has arrived that redirects to another request.
    func hop(
        _ id: HopID,
        didReceive response: URLResponse,
        redirectingTo request: URLRequest
    ) -> BodyDisposition

    /// Parts of a multipart body have arrived, each of which replaces the one before; the disposition
    /// is for the last.
    func hop(_ id: HopID, didReceive parts: [ReceivedPart]) -> BodyDisposition

    /// A piece of a delivered body.
    func hop(_ id: HopID, didReceive data: Data)

    /// Bytes of a delivered body in libcurl's buffer (``ResponseContext/readsInPlace``).
    ///
    /// - Returns: the number of bytes taken; if fewer than all, a call of `RunningHop.consumed` with
    ///   ``DeliveryWindow/limit`` reports room.
    func hop(_ id: HopID, take bytes: UnsafeRawBufferPointer) -> Int

    /// The number of bytes of the request's body sent so far.
    func hop(_ id: HopID, didSend total: Int64)

    /// The response continues its file at this offset; `total` is the length of the complete file, if known.
    func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?)

    /// The number of bytes of the response's body written to the file, or collected in memory, so far.
    func hop(_ id: HopID, didWrite total: Int64)

    /// A piece of libcurl's trace, if traces are enabled.
    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace)

    /// The hop has ended; the last report, made once.
    func hop(_ id: HopID, didEnd end: HopEnd)
}

extension HopClient {
    /// Only a task follows redirects.
    func hop(
        _ id: HopID,
        didReceive response: URLResponse,
        redirectingTo request: URLRequest
    ) -> BodyDisposition { .discard }

    /// Only a task has a body taker, so we copy the bytes.
    func hop(_ id: HopID, take bytes: UnsafeRawBufferPointer) -> Int {
        hop(id, didReceive: Data(bytes))
        return bytes.count
    }

    func hop(_ id: HopID, didReceive parts: [ReceivedPart]) -> BodyDisposition {
        for part in parts where !part.body.isEmpty { hop(id, didReceive: part.body) }
        return .deliver
    }

    /// The hop of a part does not report interim responses.
    func hop(_ id: HopID, didReceiveInformational head: HopHead) {}

    /// Only a task reports a trace to its delegate.
    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace) {}
}

/// Identifies a hop of a task, by its number.
struct HopID: Hashable, Sendable {
    let number: Int
}
