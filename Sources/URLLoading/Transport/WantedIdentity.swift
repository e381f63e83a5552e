import FoundationEssentials

/// What a server has said of the client certificate that it wants.
struct WantedIdentity: Sendable {
    /// The issuers it takes, each a name in DER; empty where it names none.
    var issuers: [Data]
}
