import FoundationEssentials

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
}

/// A hop under way; after its end all of this does nothing.
protocol RunningHop: Sendable {
    /// Answers for a head whose client had said `.hold`.
    func decide(_ disposition: BodyDisposition)

    /// Says that the delegate has taken so many bytes of what was delivered.
    func consumed(_ bytes: Int)

    /// Holds it where it stands.
    func suspend()

    /// Lets it go on.
    func resume()

    /// Ends it with `cancelled`.
    func cancel()

    /// Changes its share of an HTTP/2 connection; 0 to 1.
    func setPriority(_ priority: Float)
}

/// Names a hop of a task, by their order.
struct HopID: Hashable, Sendable {
    let number: Int
}

/// One request, ready to send.
struct HopRequest: Sendable {
    var request: PreparedRequest
    var body: (any HTTPBodyStream)?
    /// Whether the body can be had again, should a connection die under it.
    var bodyIsReplayable: Bool
    var idleTimeout: Duration?
    /// What is left of the time the task may take as a whole.
    var timeLimit: Duration?
    /// 0 to 1.
    var priority: Float
}

/// What becomes of a hop's answer.
enum BodyDisposition: Sendable {
    /// Not decided yet; the body is held back.
    case hold
    /// Read and forget it, so that its connection can serve again; end early where it is long.
    case discard
    /// Hand it on in pieces.
    case deliver
    /// Gather it in memory, and hand it on at the end.
    case collect
    /// Write it to a file.
    case write(DownloadDestination)
}

/// How a hop ended.
struct HopEnd: Sendable {
    /// What went wrong; `nil`: the answer came whole.
    var error: URLError?
    /// The body, where it was collected.
    var collected: Data?
    /// The body's file, where it was written to one.
    var file: PartFile?
}

/// Who is told of a hop; called on the transport's own thread, and must return at once.
protocol HopClient: AnyObject, Sendable {
    /// The head of the answer has come.
    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition

    /// A piece of the body, where it is delivered.
    func hop(_ id: HopID, didReceive data: Data)

    /// So many bytes of the request's body have left in all.
    func hop(_ id: HopID, didSend total: Int64)

    /// So many bytes of the answer's body were written to its file in all.
    func hop(_ id: HopID, didWrite total: Int64)

    /// The hop has ended. Last, and once.
    func hop(_ id: HopID, didEnd end: HopEnd)
}

/// The head of a hop's answer.
struct HopHead: Sendable {
    var status: Int
    var httpVersion: String
    var reason: String
    var fields: HTTPHeaderFields
}
