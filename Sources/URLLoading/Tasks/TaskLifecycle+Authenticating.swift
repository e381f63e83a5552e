// Challenges of a server or a proxy.
extension TaskLifecycle {
    /// Handles the delegate's disposition of a challenge, unless it is late or repeated.
    ///
    /// `id` is the hop whose response has the challenge; `nil` where a proxy refused a tunnel.
    mutating func resolveChallenge(
        _ id: HopID?,
        _ question: AuthenticationQuestion,
        _ disposition: AuthenticationDisposition
    ) -> [Action] {
        guard isAsking(question, id) else { return [] }
        if case .identifying(_, let hopEnd) = state { return settle(hopEnd, question, disposition) }
        return id.map { settle($0, question, disposition) } ?? []
    }

    /// Whether the task still waits for the disposition of this question.
    func isAsking(_ question: AuthenticationQuestion, _ id: HopID?) -> Bool {
        switch (state, id) {
        case (.deciding(let current, .challenge(let asked)), let id?):
            current == id && asked.isSame(as: question)
        case (.identifying(let asked, _), nil): asked.isSame(as: question)
        default: false
        }
    }

    private mutating func settle(
        _ id: HopID,
        _ question: AuthenticationQuestion,
        _ disposition: AuthenticationDisposition
    ) -> [Action] {
        if case .cancel = disposition { return leave(id, Self.cancelled(question), wasAsked: true) }
        switch authentication.resolve(question, disposition) {
        case .again:
            state = .leaving(id, .sendAgain)
            return [.decide(.discard)]
        case .ask(let next):
            state = .deciding(id, .challenge(next))
            return [.askChallenge(next, id)]
        case .deliver: return late(judge(question.response, id))
        }
    }

    /// Handles a proxy's challenge before a tunnel, which has ended the hop.
    mutating func refusedTunnel(_ hopEnd: HopEnd) -> [Action] {
        guard let response = hopEnd.proxyHead else { return end(hopEnd.error, hopEnd) }
        let url = currentRequest.url
        let received = authentication.received(response, to: url, isTunnelRefusal: true)
        return identify(received.step, hopEnd)
    }

    private mutating func settle(
        _ hopEnd: HopEnd,
        _ question: AuthenticationQuestion,
        _ disposition: AuthenticationDisposition
    ) -> [Action] {
        if case .cancel = disposition { return end(Self.cancelled(question), hopEnd) }
        return identify(authentication.resolve(question, disposition), hopEnd)
    }

    private mutating func identify(_ step: AuthenticationSide.Step, _ hopEnd: HopEnd) -> [Action] {
        switch step {
        case .again: return beginNextHop()
        case .ask(let question):
            state = .identifying(question, hopEnd)
            return [.askChallenge(question, nil)]
        case .deliver: return end(hopEnd.error, hopEnd)
        }
    }

    private static func cancelled(_ question: AuthenticationQuestion) -> URLError {
        URLError(.userCancelledAuthentication, detail: "\(question.space)")
    }
}

extension AuthenticationQuestion {
    /// Whether both are the same question after the same number of failures.
    fileprivate func isSame(as other: AuthenticationQuestion) -> Bool {
        space == other.space && failures == other.failures && others.count == other.others.count
    }
}
