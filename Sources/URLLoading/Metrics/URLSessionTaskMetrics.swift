public import FoundationEssentials

/// The metrics of a task, hop by hop, as Foundation's `URLSessionTaskMetrics`.
public final class URLSessionTaskMetrics: Sendable {
    /// Where a response came from.
    public enum ResourceFetchType: Int, Sendable, Hashable, Codable {
        /// From neither a server nor the cache, or there was none.
        case unknown = 0
        /// From a server.
        case networkLoad = 1
        /// Pushed by a server; never here.
        case serverPush = 2
        /// From the session's cache.
        case localCache = 3
    }

    /// How a name was looked up.
    public enum DomainResolutionProtocol: Int, Sendable, Hashable {
        /// By the system, which does not report it; always this.
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

    /// One for each request, in order, with those that were redirected, or refused without credentials.
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    /// From the task's creation to its end.
    public let taskInterval: DateInterval
    /// The redirects that were followed.
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

/// A piece of libcurl's trace of a task, where `transport.tracesTransfers` asks for it; not in
/// Foundation.
public struct URLSessionTaskTrace: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// libcurl's messages about names, connections and TLS.
        case note
        /// A head that is sent: the request's, or that of a CONNECT to a proxy.
        case sent
        /// A received line of a head, with its end.
        case received
    }

    /// What it is.
    public let kind: Kind
    /// The bytes as they are; credentials may be among them.
    public let bytes: Data

    package init(_ kind: Kind, _ bytes: Data) {
        self.kind = kind
        self.bytes = bytes
    }
}
