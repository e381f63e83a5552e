import URLLoading

/// The order in which sources are queried for one credential; no method here blocks.
struct CredentialSearch: Sendable {
    enum Step: Equatable, Sendable {
        case offer(FoundCredential)
        case query(CredentialSource)
        case giveUp
    }

    private let given: FoundCredential?
    private let user: String?
    private let places: [CredentialSource]
    private var place = 0

    /// `canAsk`: whether a terminal can show a prompt.
    init(_ identity: Identity, _ plan: AuthenticationPlan, canAsk: Bool) {
        user = identity.credential?.user
        given = Self.given(identity)
        // A password on the command line excludes all other sources.
        guard given == nil || identity.source == .netrc else {
            places = []
            return
        }
        var places: [CredentialSource] = []
        if plan.promptPolicy != .always {
            if plan.netrc != .none { places.append(.netrc) }
            if plan.keyStore != .none { places.append(.storage) }
        }
        if plan.promptPolicy != .never {
            if plan.askpass != nil {
                places.append(.askpass)
            } else if canAsk {
                places.append(.terminal)
            }
        }
        self.places = places
    }

    /// The command line's credential, if it is complete.
    static func given(_ identity: Identity) -> FoundCredential? {
        guard let credential = identity.credential, let password = credential.password else {
            return nil
        }
        return FoundCredential(
            user: credential.user,
            password: Secret(password),
            source: identity.source
        )
    }

    func begin(_ history: CredentialHistory) -> Step {
        if let accepted = history.accepted, user.map({ accepted.user.hasBytes(of: $0) }) ?? true {
            return .offer(accepted)
        }
        if let given, !history.hasRefused(given) { return .offer(given) }
        return nextStep(history)
    }

    /// The step after a source was queried; the prompt's outcome is added to the history.
    mutating func take(_ found: FoundCredential?, _ history: inout CredentialHistory) -> Step {
        guard place < places.count else { return .giveUp }
        let source = places[place]
        if let found, !history.hasRefused(found) {
            if source.isInteractive { history.asked += 1 }
            return .offer(found)
        }
        // A program may print the same refused password at each call. A user may have typed the
        // refused password again.
        if source.isInteractive {
            history.asked += 1
            if found == nil || source == .askpass { history.isDeclined = true }
        } else {
            place += 1
        }
        return nextStep(history)
    }

    private func nextStep(_ history: CredentialHistory) -> Step {
        for source in places[place...] {
            let isSilent = history.isDeclined || history.asked >= CredentialHistory.promptLimit
            guard source.isInteractive, isSilent else { return .query(source) }
        }
        return .giveUp
    }
}

struct CredentialHistory: Sendable {
    static let promptLimit = 3

    private(set) var accepted: FoundCredential?
    private(set) var refused: [FoundCredential] = []
    /// How many prompts were shown.
    var asked = 0
    /// Whether the user was prompted and gave no new password.
    var isDeclined = false

    /// Whether the server refused this password; it is then never sent again, by any method.
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
