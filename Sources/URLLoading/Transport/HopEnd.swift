import FoundationEssentials
import Synchronization

/// How a hop ended.
struct HopEnd: Sendable {
    /// The error; `nil`: the response is complete.
    var error: URLError?
    /// The body, if it was collected in memory.
    var collected: Data?
    /// The download that the body was written to, complete or not.
    var download: Download?
    /// The recorder of a response that may be stored in the cache.
    var recorder: CacheRecorder?
    /// The response of a proxy that refused a tunnel; the request has not reached the server.
    var proxyHead: HTTPURLResponse?
    /// The partial file cannot be continued; the task must start over.
    var startOver: DownloadStartOver?
    /// Several streams failed; the task must not split again.
    var forbidsSplitting = false
    /// The server wants a client certificate, and the delegate has not decided; no request was sent.
    var wantedIdentity: WantedIdentity?
    /// Why no request was sent, where no network was available.
    var absence: NetworkAbsence?
    /// The metrics; `nil` where no delegate receives them, or no network was used.
    var metrics: HopMetrics?
    /// Heads and trailers after the response's head, if heads are recorded.
    var restOfHeads: Data?
    /// The trailer fields, if the head announced any.
    var trailers: HTTPHeaderFields?
    /// The results of the digest checks.
    var digestFindings: [DigestFinding] = []
    /// The background session's event that reports this end.
    var event: URLSession.BackgroundEvent?
}

/// A server's request for a client certificate.
struct WantedIdentity: Sendable {
    /// The accepted issuers, each a DER name; empty: any.
    var issuers: [Data]
}
