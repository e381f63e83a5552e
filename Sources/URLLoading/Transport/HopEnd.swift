import FoundationEssentials
import Synchronization

/// How a hop ended.
struct HopEnd: Sendable {
    /// The error; `nil`: the response is complete.
    var error: URLError?
    /// Whether there is an error; a comparison with `nil` would copy it.
    var hasFailed: Bool { if case .some = error { true } else { false } }
    /// The body, if it was collected in memory.
    var collected: Data?
    /// The download that received the body, complete or not.
    var download: Download?
    /// The recorder of a response that the cache may store.
    var recorder: CacheRecorder?
    /// The response of a proxy that refused a tunnel; the request has not reached the server.
    var proxyHead: HTTPURLResponse?
    /// The partial file cannot be continued; the task must start over.
    var startOver: DownloadStartOver?
    /// Several streams failed; the task must not split again.
    var forbidsSplitting = false
    /// The server wants a client certificate, and the delegate has not decided; the hop sent no request.
    var wantedIdentity: WantedIdentity?
    /// Whether the hop has read no byte of the request's body, which is then still whole.
    var leavesBody = false
    /// The reason why the hop sent no request, if it had no network.
    var absence: NetworkAbsence?
    /// The metrics; `nil` if no delegate receives them, or the hop used no network.
    var metrics: HopMetrics?
    /// Heads and trailers after the response's head, if heads are recorded.
    var restOfHeads: Data?
    /// The trailer fields, if the head announced any.
    var trailers: HTTPHeaderFields?
    var digestFindings: [DigestFinding] = []
    /// The background session's event that reports this end.
    var event: URLSession.BackgroundEvent?
}

/// A server's request for a client certificate.
struct WantedIdentity: Sendable {
    /// The accepted issuers, each a DER name; empty: any.
    var issuers: [Data]
}
