import FoundationEssentials
import Glibc
import Synchronization

/// The credentials for the transfers of a background session: those that a client gave, for as long
/// as this process lives, and those of the session's netrc file.
final class TransferCredentials: Sendable {
    /// What a transfer says to a challenge.
    enum Decision: Sendable {
        case use(URLCredential)
        /// What the session has in store.
        case byDefault
        /// Not by this method.
        case reject
        /// None is known here: the program is to be asked.
        case ask
    }

    /// A user and a password.
    private struct Pair: Hashable {
        var user: String
        var password: Secret

        init(user: String, password: Secret) {
            self.user = user
            self.password = password
        }

        init?(_ credential: URLCredential?) {
            guard let user = credential?.user, let password = credential?.password else {
                return nil
            }
            self.init(user: user, password: Secret(password))
        }

        var credential: URLCredential {
            URLCredential(user: user, password: password.text, persistence: .forSession)
        }
    }

    /// What the program has said about a server, or a client certificate for it.
    enum Connection: Sendable {
        case use(URLCredential)
        case byDefault
        case refuse
    }

    private struct State {
        /// What the program has given, for all tasks of the session.
        var given: [ChallengeRecord: Pair] = [:]
        var refused: [ChallengeRecord: Set<Pair>] = [:]
        /// What a task leaves out; of one it leaves all, by `nil`.
        var declined: [Int: Set<ChallengeRecord?>] = [:]
        /// The tasks that are given up.
        var cancelled: Set<Int> = []
        /// What was said about connections, for all tasks of the session.
        var connections: [ChallengeRecord: Connection] = [:]
    }

    private let state = Mutex(State())

    /// Takes the program's disposition for a task.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - place: what it was asked for.
    ///   - disposition: the delegate's disposition.
    ///   - user: with `useCredential`.
    ///   - password: with `useCredential`.
    ///   - identity: with `useCredential`, the files of a client certificate.
    /// - Returns: whether other tasks that are asked for the same can go on with it.
    func take(
        _ task: Int,
        _ place: ChallengeRecord,
        _ disposition: URLSession.AuthChallengeDisposition,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate? = nil
    ) -> Bool {
        if disposition != .cancelAuthenticationChallenge, !place.wantsPassword {
            let key = identity.map {
                URLCredential(identity: $0, keyPassword: password, persistence: .forSession)
            }
            let credential = place.trust.map { URLCredential(trust: $0.serverTrust) } ?? key
            let connection: Connection =
                switch disposition {
                case .useCredential: credential.map(Connection.use) ?? .byDefault
                case .rejectProtectionSpace: .refuse
                case .performDefaultHandling, .cancelAuthenticationChallenge: .byDefault
                }
            state.withLock { $0.connections[place.place] = connection }
            return true
        }
        let place = place.place
        return state.withLock { state in
            switch disposition {
            case .useCredential:
                guard let user else {
                    state.declined[task, default: []].insert(nil)
                    return false
                }
                let pair = Pair(user: user, password: Secret(password ?? ""))
                state.refused[place]?.remove(pair)
                state.given[place] = pair
                return true
            case .performDefaultHandling: state.declined[task, default: []].insert(nil)
            case .rejectProtectionSpace: state.declined[task, default: []].insert(place)
            case .cancelAuthenticationChallenge: state.cancelled.insert(task)
            }
            return false
        }
    }

    /// What the program has said about a connection; `nil`: it has not been asked.
    func connection(_ place: ChallengeRecord) -> Connection? {
        state.withLock { $0.connections[place.place] }
    }

    /// Forgets which certificates servers are shown, since one has refused what it was.
    func forgetIdentities() {
        state.withLock { state in
            state.connections = state.connections.filter { $0.key.trust != nil }
        }
    }

    /// Whether a task was given up when it was asked; once.
    func takeCancelled(_ task: Int) -> Bool {
        state.withLock { $0.cancelled.remove(task) != nil }
    }

    /// Forgets what holds for a task alone.
    func forget(_ task: Int) {
        state.withLock { state in
            state.declined[task] = nil
            state.cancelled.remove(task)
        }
    }

    /// The disposition of a challenge that asks for a user and a password.
    ///
    /// - Parameters:
    ///   - challenge: the challenge.
    ///   - task: whose it is.
    ///   - firstURL: the URL that the task was made for: what netrc has for no one host is its origin's.
    ///   - netrcFile: the file that is searched for credentials; `nil`: none.
    /// - Returns: the disposition.
    func decision(
        _ challenge: URLAuthenticationChallenge,
        _ task: Int,
        firstURL: URL?,
        netrcFile: String?
    ) -> Decision {
        let place = ChallengeRecord(challenge).place
        let space = challenge.protectionSpace
        let proposed = Pair(challenge.proposedCredential)
        state.withLock { state in
            if challenge.previousFailureCount > 0, let proposed {
                state.refused[place, default: []].insert(proposed)
                if state.given[place] == proposed { state.given[place] = nil }
            }
        }
        let found = netrcFile.flatMap { Self.entry(in: $0, for: space, firstURL: firstURL) }
        return state.withLock { state in
            let refused = state.refused[place] ?? []
            if let given = state.given[place] { return .use(given.credential) }
            if let declined = state.declined[task],
                declined.contains(nil) || declined.contains(place)
            {
                return .reject
            }
            if let proposed, !refused.contains(proposed) { return .byDefault }
            if let found, !refused.contains(found) { return .use(found.credential) }
            return .ask
        }
    }

    /// How many credentials were refused at a place.
    func failures(at place: ChallengeRecord) -> Int {
        state.withLock { $0.refused[place.place]?.count ?? 0 }
    }

    /// As the command has it: credentials for every host are not for one that a redirect has
    /// chosen, and none are sent there in the clear.
    private static func entry(
        in file: String,
        for space: URLProtectionSpace,
        firstURL: URL?
    ) -> Pair? {
        // A pipe has been read when the session was made, if at all.
        guard !space.isProxy(), let file = NetrcFile(named: file), file.isRegular,
            let content = try? file.read(),
            let entry = content.netrc.entry(for: space.host),
            let password = entry.password
        else { return nil }
        let isFirstOrigin = firstURL.flatMap(Origin.init).map(space.belongs) ?? false
        guard
            isFirstOrigin
                || entry.machine != nil && space.protocol == NSURLProtectionSpaceHTTPS
        else { return nil }
        return Pair(user: entry.login ?? "", password: password)
    }
}
