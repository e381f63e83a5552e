import Dispatch
import FoundationEssentials
import Synchronization
import URLLoading

/// Decides the disposition of each challenge; tasks that need the same credential share a search.
final class Authenticator: Sendable {
    typealias Completion = @Sendable (ChallengeDisposition) -> Void

    let plan: AuthenticationPlan
    private let printer: Printer
    let lookup: CredentialLookup
    let state = Mutex(State())
    let queue = DispatchQueue(label: "Authenticator", attributes: .concurrent)
    /// Serial, because only one prompt can be open.
    let asking = DispatchQueue(label: "Authenticator.asking")
    private let saving = DispatchQueue(label: "Authenticator.saving")

    init(_ plan: AuthenticationPlan, _ printer: Printer) {
        self.plan = plan
        self.printer = printer
        lookup = CredentialLookup(plan, printer)
    }

    /// Decides the disposition of a challenge; the completion is called once, on any thread.
    func handle(
        _ challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        _ run: TaskRun,
        completion: @escaping Completion
    ) {
        let space = challenge.protectionSpace
        guard let method = AuthenticationMethod.name(space.authenticationMethod) else {
            return completion(.byDefault)
        }
        let isExcluded = !space.isProxy() && !plan.allows(space.authenticationMethod)
        run.note {
            $0.note(method, at: space.shown, isProxy: space.isProxy(), isExcluded: isExcluded)
        }
        if space.isProxy() {
            // Only the proxy's own credential is sent to it.
            guard challenge.previousFailureCount == 0, let own = challenge.proposedCredential else {
                return completion(.reject)
            }
            return completion(ChallengeDisposition(disposition: .useCredential, credential: own))
        }
        // The session has tried its ticket already, and no other credential serves Negotiate.
        let wantsTicket = space.authenticationMethod == NSURLAuthenticationMethodNegotiate
        if isExcluded || wantsTicket { return completion(.reject) }
        var identity = run.identity(at: space)
        if identity.isWithheldInClear {
            identity.isWithheldInClear = space.isWithheldInClear
            if identity.isWithheldInClear, identity.source == .user, identity.credential != nil {
                identity.credential = nil
                run.note { $0.isWithheld = true }
            }
        }
        let place = Place(
            origin: space.placeText,
            realm: space.realm.map { ExactText($0) },
            user: (identity.credential?.user).map { ExactText($0) }
        )
        let isRefused = settle(refusedBy: challenge, task, run)
        if !isRefused, task.currentRequest?.value(forHTTPHeaderField: "Authorization") != nil {
            // The server refused the credential that was sent before a challenge.
            guard identity.sentAtOnce != nil, let given = CredentialSearch.given(identity) else {
                run.note { $0.isHeaderRefused = true }
                return completion(.reject)
            }
            refuse(given, place, run)
        }
        search(
            identity,
            challenge,
            place,
            Waiter(task: task.taskIdentifier, run: run, complete: completion)
        )
    }
}

// The server's verdict on credentials that were sent.
extension Authenticator {
    /// Records the server's verdict on the task's credentials, by its response.
    func noteStatus(_ status: Int, of task: URLSessionTask, _ run: TaskRun) {
        // A proxy's challenge (407) says nothing about the server's credentials.
        guard status != 407 else { return }
        let sent = state.withLock { $0.sent.removeValue(forKey: task.taskIdentifier) } ?? []
        for sent in sent {
            guard status != 401 else {
                refuse(sent.found, sent.place, run)
                continue
            }
            state.withLock {
                $0.histories[sent.place, default: CredentialHistory()].accept(sent.found)
            }
            save(sent)
        }
    }

    /// Removes a completed task from all searches.
    func ended(_ task: URLSessionTask) {
        let left = state.withLock { state in
            state.sent[task.taskIdentifier] = nil
            state.refused[task.taskIdentifier] = nil
            var left: [Waiter] = []
            for (wanted, flight) in state.flights {
                let gone = flight.waiters.filter { $0.task == task.taskIdentifier }
                guard !gone.isEmpty else { continue }
                left += gone
                state.flights[wanted]?.waiters.removeAll { $0.task == task.taskIdentifier }
                if gone.count == flight.waiters.count {
                    state.flights[wanted] = nil
                    flight.end.ring()
                }
            }
            return left
        }
        for waiter in left { waiter.complete(.cancel) }
    }

    /// Waits until all credentials are saved.
    func finish() { saving.sync {} }

    private func save(_ sent: Sent) {
        guard plan.saves, sent.found.source.mayBeSaved else { return }
        let credential = URLCredential(
            user: sent.found.user,
            password: sent.found.password.text,
            persistence: .permanent
        )
        saving.async { [lookup, printer] in
            do throws(CredentialStoreError) {
                try lookup.storage.save(credential, for: sent.space, isDefault: true)
            } catch {
                let what = "the credentials for \(sent.space.shown) were not saved"
                printer.warning("--save-credentials: \(what): \(Printable.text("\(error)"))")
            }
        }
    }

    /// Whether the challenge refuses a credential that this task has sent.
    private func settle(
        refusedBy challenge: URLAuthenticationChallenge,
        _ task: URLSessionTask,
        _ run: TaskRun
    ) -> Bool {
        let origin = challenge.protectionSpace.placeText
        let sent = state.withLock { state in
            let all = state.sent[task.taskIdentifier] ?? []
            state.sent[task.taskIdentifier] = all.filter { $0.place.origin != origin }
            let refused = all.filter { $0.place.origin == origin }
            state.refused[task.taskIdentifier, default: []] += refused
            return refused
        }
        for sent in sent { refuse(sent.found, sent.place, run) }
        return !sent.isEmpty
    }

    private func refuse(_ found: FoundCredential, _ place: Place, _ run: TaskRun) {
        state.withLock { $0.histories[place, default: CredentialHistory()].refuse(found) }
        run.note { $0.note(refused: found.source) }
    }
}

extension Authenticator {
    /// The scope in which a password counts as refused: origin, realm and user.
    struct Place: Hashable {
        let origin: String
        let realm: ExactText?
        let user: ExactText?
    }

    /// The key of a search; it has the method, because the key store distinguishes methods.
    struct Wanted: Hashable {
        let place: Place
        let method: String
    }

    struct Waiter {
        let task: Int
        let run: TaskRun
        let complete: Completion
    }

    struct Flight {
        var waiters: [Waiter]
        let end: Doorbell
    }

    /// A credential that a task has sent, and whose response has not arrived.
    struct Sent {
        let place: Place
        let space: URLProtectionSpace
        let found: FoundCredential
    }

    struct State {
        var histories: [Place: CredentialHistory] = [:]
        var flights: [Wanted: Flight] = [:]
        var sent: [Int: [Sent]] = [:]
        /// The refused entries of `sent`, by task identifier.
        var refused: [Int: [Sent]] = [:]
    }
}

extension Authenticator.State {
    /// The history of a place, plus refusals by methods without a realm at the same origin.
    func history(_ place: Authenticator.Place) -> CredentialHistory {
        var history = histories[place] ?? CredentialHistory()
        for (other, theirs) in histories
        where other != place && other.origin == place.origin && other.user == place.user
            && (other.realm == nil || place.realm == nil)
        {
            for found in theirs.refused { history.refuse(found) }
        }
        return history
    }
}
