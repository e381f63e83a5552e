/// What has come of credentials in one part of one server.
struct CredentialHistory: Sendable {
    /// How often a person is asked.
    static let patience = 3

    /// The last one that the server let in.
    private(set) var accepted: FoundCredential?
    private(set) var refused: [FoundCredential] = []
    /// How often somebody was asked.
    var asked = 0
    /// Whether somebody was asked, and would not say.
    var isDeclined = false

    /// Whether a password was refused here: it is never sent again, by no method.
    func hasRefused(_ credential: FoundCredential) -> Bool {
        refused.contains { $0.isSame(as: credential) }
    }

    mutating func accept(_ credential: FoundCredential) {
        accepted = credential
        asked = 0
    }

    mutating func refuse(_ credential: FoundCredential) {
        if let accepted, accepted.isSame(as: credential) { self.accepted = nil }
        if !hasRefused(credential) { refused.append(credential) }
    }
}
