/// Who is told of a download that comes in several streams, besides what every hop tells.
protocol SplitClient: HopClient {
    /// The request for a part, with a proof of its own of who one is; `nil`: nobody wants it any
    /// more.
    func hop(
        _ id: HopID,
        provesPart request: PreparedRequest,
        through proxy: ProxyServer?
    ) -> PreparedRequest?

    /// A server has shown itself for a part: what was answered about it before. Nobody is asked.
    func hop(_ id: HopID, recalls trust: ServerTrust) -> TrustDisposition

    /// What a server that wants a client certificate is shown for a part.
    func identityForPart(_ id: HopID) -> HopIdentity

    /// There are so many streams now, or are going to be; `limit` says why not more.
    func hop(_ id: HopID, didSplitInto streams: Int, _ limit: DownloadSplitLimit?)

    /// A part's hop is over.
    func hop(_ id: HopID, didEndPart part: PartReport)
}

/// What came of a part's hop, for those who want to know what it cost.
struct PartReport: Sendable {
    var request: PreparedRequest
    var head: HopHead?
    var end: HopEnd
}
