import FoundationEssentials
import Glibc
import Synchronization

/// The credentials for the transfers of a background session: those from clients, for the life of this
/// process, and those in the session's netrc file.
final class TransferCredentials: Sendable {
    typealias Reply = (URLSession.AuthChallengeDisposition, URLCredential?)

    private struct State {
        /// The program's credentials, for all tasks of the session.
        var given: [ChallengeRecord: URLCredential.Kind] = [:]
        var refused: [ChallengeRecord: Set<URLCredential.Kind>] = [:]
        /// The places at which a task continues without a credential; `nil` means all places.
        var declined: [Int: Set<ChallengeRecord?>] = [:]
        var cancelled: Set<Int> = []
        /// The program's dispositions for connections, for all tasks of the session.
        var connections: [ChallengeRecord: Reply] = [:]
    }

    private let state = Mutex(State())

    /// Takes the program's disposition; returns whether other tasks with this challenge can continue.
    func take(
        _ task: Int,
        _ challenge: ChallengeRecord,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) -> Bool {
        let place = challenge.place
        return state.withLock { state in
            switch disposition {
            case .cancelAuthenticationChallenge: state.cancelled.insert(task)
            case .useCredential where !place.wantsPassword:
                state.connections[place] =
                    credential == nil ? (.performDefaultHandling, nil) : (disposition, credential)
                return true
            case _ where !place.wantsPassword:
                state.connections[place] = (disposition, nil)
                return true
            case .useCredential:
                guard let password = credential?.kind, case .password = password else {
                    state.declined[task, default: []].insert(nil)
                    return false
                }
                state.refused[place]?.remove(password)
                state.given[place] = password
                return true
            case .performDefaultHandling: state.declined[task, default: []].insert(nil)
            case .rejectProtectionSpace: state.declined[task, default: []].insert(place)
            }
            return false
        }
    }

    /// The program's disposition for a connection; `nil`: the program was not asked.
    func connection(_ place: ChallengeRecord) -> Reply? {
        state.withLock { $0.connections[place.place] }
    }

    /// Forgets all client certificates, because a server has refused one.
    func forgetIdentities() {
        state.withLock { state in
            state.connections = state.connections.filter { $0.key.trust != nil }
        }
    }

    /// Whether the program has cancelled a task's challenge; `true` once.
    func takeCancelled(_ task: Int) -> Bool {
        state.withLock { $0.cancelled.remove(task) != nil }
    }

    func forget(_ task: Int) {
        state.withLock { state in
            state.declined[task] = nil
            state.cancelled.remove(task)
        }
    }

    /// The disposition of a challenge that asks for a user and a password; `nil`: ask the program.
    ///
    /// netrc's default entry applies only to the origin of the task's first URL.
    func decision(
        _ challenge: URLAuthenticationChallenge,
        _ task: Int,
        firstURL: URL?,
        netrcFile: String?
    ) -> Reply? {
        let place = ChallengeRecord(challenge).place
        let space = challenge.protectionSpace
        let proposed = challenge.proposedCredential?.kind
        state.withLock { state in
            if challenge.previousFailureCount > 0, let proposed {
                state.refused[place, default: []].insert(proposed)
                if state.given[place] == proposed { state.given[place] = nil }
            }
        }
        let found = netrcFile.flatMap { Self.entry(in: $0, for: space, firstURL: firstURL) }
        return state.withLock { state in
            let refused = state.refused[place] ?? []
            if let given = state.given[place] { return Self.use(given) }
            if let declined = state.declined[task],
                declined.contains(nil) || declined.contains(place)
            {
                return (.rejectProtectionSpace, nil)
            }
            if let proposed, !refused.contains(proposed) {
                return (.performDefaultHandling, nil)
            }
            if let found, !refused.contains(found) { return Self.use(found) }
            return nil
        }
    }

    private static func use(_ password: URLCredential.Kind) -> Reply {
        (.useCredential, URLCredential(password, persistence: .forSession))
    }

    func failures(at place: ChallengeRecord) -> Int {
        state.withLock { $0.refused[place.place]?.count ?? 0 }
    }

    /// The entry of a netrc file, by the command's rule.
    ///
    /// A server that a redirect has chosen gets no default entry, and other entries only over TLS.
    private static func entry(
        in file: String,
        for space: URLProtectionSpace,
        firstURL: URL?
    ) -> URLCredential.Kind? {
        // A pipe cannot be read here: it was read when the session was made, if at all.
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
        return .password(user: ExactText(entry.login ?? ""), password)
    }
}

extension ChallengeRecord {
    /// The credential of a client's disposition; `nil` without a user, a server's trust or a certificate.
    func credential(
        _ user: String?,
        _ password: String?,
        _ identity: URLSessionConfiguration.ClientCertificate?
    ) -> URLCredential? {
        guard !wantsPassword else {
            return user.map {
                URLCredential(user: $0, password: password ?? "", persistence: .forSession)
            }
        }
        if let trust { return URLCredential(trust: trust) }
        return identity.map {
            URLCredential(identity: $0, keyPassword: password, persistence: .forSession)
        }
    }
}
