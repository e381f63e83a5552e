import Dispatch
import Synchronization
import URLLoading

// The search for a credential.
extension Authenticator {
    func search(
        _ identity: Identity,
        _ challenge: URLAuthenticationChallenge,
        _ place: Place,
        _ waiter: Waiter
    ) {
        let space = challenge.protectionSpace
        let wanted = Wanted(place: place, method: space.authenticationMethod)
        guard let end = try? Doorbell() else { return waiter.complete(.reject) }
        let search = CredentialSearch(identity, plan, canAsk: lookup.canAsk)
        let first = state.withLock { state -> CredentialSearch.Step? in
            if state.flights[wanted] != nil {
                state.flights[wanted]?.waiters.append(waiter)
                return nil
            }
            state.flights[wanted] = Flight(waiters: [waiter], end: end)
            // The server refused the task's last credential, whatever realm or method this
            // challenge names.
            for refused in state.refused[waiter.task] ?? []
            where refused.place.origin == place.origin {
                state.histories[place, default: CredentialHistory()].refuse(refused.found)
            }
            return search.begin(state.history(place))
        }
        guard let first else { return }
        let isFirstOrigin = waiter.run.isFirstOrigin(space)
        let question = CredentialLookup.Question(
            space: space,
            isFirstOrigin: isFirstOrigin,
            isNamed: isFirstOrigin && !identity.isWithheldInClear,
            user: identity.credential?.user,
            end: end
        )
        guard case .query = first else { return finish(wanted, question, first) }
        queue.async { [self] in finish(wanted, question, query(search, first, wanted, question)) }
    }

    /// Queries one source after another until one has a credential, or no task needs it any more.
    private func query(
        _ search: CredentialSearch,
        _ first: CredentialSearch.Step,
        _ wanted: Wanted,
        _ question: CredentialLookup.Question
    ) -> CredentialSearch.Step {
        var (search, step, question) = (search, first, question)
        while case .query(let source) = step {
            guard isAwaited(wanted, question.end) else { return .giveUp }
            let refused = state.withLock { $0.histories[wanted.place]?.refused.last }
            question.refusedUser = refused?.source == source ? refused?.user : nil
            let find = { [lookup, question] in lookup.find(source, for: question) }
            let found = source.isInteractive ? asking.sync(execute: find) : find()
            guard isAwaited(wanted, question.end) else { return .giveUp }
            step = state.withLock { state in
                var history = state.history(wanted.place)
                let next = search.take(found, &history)
                state.histories[wanted.place] = history
                return next
            }
        }
        return step
    }

    private func isAwaited(_ wanted: Wanted, _ end: Doorbell) -> Bool {
        state.withLock { $0.flights[wanted]?.end === end }
    }

    private func finish(
        _ wanted: Wanted,
        _ question: CredentialLookup.Question,
        _ step: CredentialSearch.Step
    ) {
        let (waiters, isDeclined) = state.withLock { state -> ([Waiter], Bool) in
            guard let flight = state.flights[wanted], flight.end === question.end else {
                return ([], false)
            }
            state.flights[wanted] = nil
            if case .offer(let found) = step {
                let sent = Sent(place: wanted.place, space: question.space, found: found)
                for waiter in flight.waiters { state.sent[waiter.task, default: []].append(sent) }
            }
            return (flight.waiters, state.histories[wanted.place]?.isDeclined ?? false)
        }
        for waiter in waiters {
            if case .offer(let found) = step {
                waiter.complete(.use(found))
            } else {
                if isDeclined { waiter.run.note { $0.isDeclined = true } }
                waiter.complete(.reject)
            }
        }
    }
}
