import URLLoading

/// The order in which sources are asked for one credential.
///
/// A value: its caller does the look-ups, and nothing waits here.
struct CredentialSearch: Sendable {
    /// The next step.
    enum Step: Equatable, Sendable {
        /// Send this.
        case offer(FoundCredential)
        /// Ask this source, for this user if there is one.
        case look(CredentialSource, user: String?)
        /// There is nothing left to try.
        case giveUp
    }

    private let given: FoundCredential?
    private let user: String?
    private let places: [CredentialSource]
    private var place = 0

    /// - Parameters:
    ///   - identity: the credentials here; `none` where the command line says nothing of this origin.
    ///   - plan: where to look.
    ///   - canAsk: whether there is a terminal to ask on.
    init(_ identity: Identity, _ plan: AuthenticationPlan, canAsk: Bool) {
        user = identity.credential?.user
        given = Self.given(identity)
        // A password on the command line ends the search.
        guard given == nil || identity.source == .netrc else {
            places = []
            return
        }
        var places: [CredentialSource] = []
        if plan.asking != .always {
            if plan.netrc != .none { places.append(.netrc) }
            if plan.keyStore != .none { places.append(.storage) }
        }
        if plan.asking != .never {
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

    /// The first step.
    func begin(_ history: CredentialHistory) -> Step {
        if let accepted = history.accepted, user == nil || accepted.user == user {
            return .offer(accepted)
        }
        if let given, !history.hasRefused(given) { return .offer(given) }
        return look(history)
    }

    /// The step after a source was asked.
    ///
    /// - Parameters:
    ///   - found: the user and password; `nil` where there are none.
    ///   - history: the history of the place, with the user's reply.
    /// - Returns: the next step.
    mutating func take(_ found: FoundCredential?, _ history: inout CredentialHistory) -> Step {
        guard place < places.count else { return .giveUp }
        let source = places[place]
        if let found, !history.hasRefused(found) {
            if source.isPerson { history.asked += 1 }
            return .offer(found)
        }
        // A program may print the same reply for ever. A user may have typed the same password
        // again.
        if source.isPerson {
            history.asked += 1
            if found == nil || source == .askpass { history.isDeclined = true }
        } else {
            place += 1
        }
        return look(history)
    }

    private func look(_ history: CredentialHistory) -> Step {
        for source in places[place...] {
            let isSilent = history.isDeclined || history.asked >= CredentialHistory.promptLimit
            guard source.isPerson, isSilent else { return .look(source, user: user) }
        }
        return .giveUp
    }
}

/// Accepted and refused credentials of one place.
struct CredentialHistory: Sendable {
    /// How often the user is asked.
    static let promptLimit = 3

    /// The last one that the server accepted.
    private(set) var accepted: FoundCredential?
    private(set) var refused: [FoundCredential] = []
    /// How often the user was asked.
    var asked = 0
    /// Whether the user was asked, and declined.
    var isDeclined = false

    /// Whether a password was refused here.
    ///
    /// It is never sent again, by any method.
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
