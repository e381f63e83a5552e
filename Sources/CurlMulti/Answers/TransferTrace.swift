/// A piece of what libcurl tells of a transfer while it goes on, where
/// ``TransferRequest/tracesTransfer`` asks for it.
public struct TransferTrace: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// libcurl's own words: about names, connections and TLS.
        case note
        /// A head that leaves: of the request, or of a CONNECT before it.
        case sent
        /// A line of a head that has come, its end included.
        case received
    }

    /// What it is.
    public let kind: Kind
    /// The bytes; credentials may be among them.
    public let bytes: [UInt8]

    init(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = Array(bytes)
    }
}
