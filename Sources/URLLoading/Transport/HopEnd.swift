import FoundationEssentials
import Synchronization

/// How a hop ended.
struct HopEnd: Sendable {
    /// What went wrong; `nil`: the response came whole.
    var error: URLError?
    /// The body, where it was collected.
    var collected: Data?
    /// The body's file, where it was written to one: whole, or as far as it came.
    var download: Download?
    /// What the cache is to keep of it.
    var recorder: CacheRecorder?
    /// The response of a proxy that opened no tunnel: nothing has reached the server.
    var proxyHead: HTTPURLResponse?
    /// The part cannot be continued: the task has to start over.
    var startOver: DownloadStartOver?
    /// Several streams have failed: the task must not split again.
    var forbidsSplitting = false
    /// The server wants a client certificate, and what it is shown is undecided: nothing was sent.
    var wantedIdentity: WantedIdentity?
    /// Why nothing of it has left, where that is for want of a network.
    var absence: NetworkAbsence?
    /// What it cost; `nil` where no delegate wants to know, or no network was needed.
    var metrics: HopMetrics?
    /// What came of heads and trailers after the response's head, where they are recorded.
    var restOfHeads: Data?
    /// The fields that came behind the body, where the head has announced any.
    var trailers: HTTPHeaderFields?
    /// What was found about the body's digests.
    var digestFindings: [DigestFinding] = []
    /// The event of a background session that reports it.
    var event: URLSession.BackgroundEvent?
}

/// What a server has said of the client certificate that it wants.
struct WantedIdentity: Sendable {
    /// The issuers it takes, each a name in DER; empty where it names none.
    var issuers: [Data]
}
