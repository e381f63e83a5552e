public import FoundationEssentials

/// A piece of what goes on beneath a task, where `transport.tracesTransfers` asks for it; not in
/// Foundation.
public struct URLSessionTaskTrace: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// libcurl's words about names, connections and TLS.
        case note
        /// A head that leaves: the request's, or that of a CONNECT to a proxy.
        case sent
        /// A line of a head that has come, its end included.
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
