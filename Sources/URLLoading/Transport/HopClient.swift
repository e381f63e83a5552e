import FoundationEssentials

/// Who is told of a hop; called on the transport's own thread, and must return at once.
protocol HopClient: AnyObject, Sendable {
    /// The server has shown its certificates, and nothing of the request has left; `nil`: the
    /// answer comes by `RunningHop.decide(_:about:)`.
    func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustAnswer?

    /// The head of an interim answer (1xx) has come.
    func hop(_ id: HopID, didReceiveInformational head: HopHead)

    /// The head of the answer has come.
    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition

    /// The description of an answer that is not HTTP's has come.
    func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition

    /// An answer has come that has this loaded in its place.
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

    /// So many bytes of the request's body have left in all.
    func hop(_ id: HopID, didSend total: Int64)

    /// The answer's body goes on from there in its file; the length of the whole, if it is known.
    func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?)

    /// So many bytes of the answer's body were written to its file, or gathered in memory, in all.
    func hop(_ id: HopID, didWrite total: Int64)

    /// Something that goes on beneath the hop, where that is asked for.
    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace)

    /// The hop has ended. Last, and once.
    func hop(_ id: HopID, didEnd end: HopEnd)
}

extension HopClient {
    /// Nobody but a task goes elsewhere.
    func hop(
        _ id: HopID,
        didReceive response: URLResponse,
        redirectingTo request: URLRequest
    ) -> BodyDisposition { .discard }

    /// They are handed on.
    func hop(_ id: HopID, didReceive parts: [ReceivedPart]) -> BodyDisposition {
        for part in parts where !part.body.isEmpty { hop(id, didReceive: part.body) }
        return .deliver
    }

    /// A part of a download has nothing to tell of them.
    func hop(_ id: HopID, didReceiveInformational head: HopHead) {}

    /// The trace is for the delegates that ask for one.
    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace) {}
}
