public import FoundationEssentials

/// The metrics of a task, hop by hop, as Foundation's `URLSessionTaskMetrics`.
public final class URLSessionTaskMetrics: Sendable {
    /// Where a response came from.
    public enum ResourceFetchType: Int, Sendable, Hashable, Codable {
        /// Neither from a server nor from the cache, or no response.
        case unknown = 0
        /// From a server.
        case networkLoad = 1
        /// Pushed by a server; never used here.
        case serverPush = 2
        /// From the session's cache.
        case localCache = 3
    }

    /// The kind of name look-up.
    public enum DomainResolutionProtocol: Int, Sendable, Hashable {
        /// By the system, which does not report the protocol; the only value used here.
        case unknown = 0
        /// DNS over UDP.
        case udp = 1
        /// DNS over TCP.
        case tcp = 2
        /// DNS over TLS.
        case tls = 3
        /// DNS over HTTPS.
        case https = 4
    }

    /// The requests in order, including those that were redirected or challenged.
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    /// From the task's creation to its end.
    public let taskInterval: DateInterval
    /// The number of redirects that the task followed.
    public let redirectCount: Int

    init(
        _ transactions: [URLSessionTaskTransactionMetrics],
        taskInterval: DateInterval,
        redirectCount: Int
    ) {
        transactionMetrics = transactions
        self.taskInterval = taskInterval
        self.redirectCount = redirectCount
    }
}

/// A piece of libcurl's trace of a task, if `transport.tracesTransfers` enables it; not in Foundation.
public struct URLSessionTaskTrace: Sendable, Hashable {
    /// The kind of a piece.
    public enum Kind: Sendable, Hashable {
        /// libcurl's messages about names, connections and TLS.
        case note
        /// A sent head: the request's, or that of a CONNECT to a proxy.
        case sent
        /// A received line of a head, with its end.
        case received
    }

    /// The kind of the piece.
    public let kind: Kind
    /// The raw bytes, which may contain credentials.
    public let bytes: Data

    package init(_ kind: Kind, _ bytes: Data) {
        self.kind = kind
        self.bytes = bytes
    }
}
