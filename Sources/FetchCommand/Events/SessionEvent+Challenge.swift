import FoundationEssentials
import URLLoading

extension SessionEvent {
    /// A challenge with its disposition; created once the disposition is known.
    static func didReceiveChallenge(
        _ task: URLSessionTask,
        _ challenge: URLAuthenticationChallenge,
        _ decision: ChallengeDisposition,
        method: String
    ) -> SessionEvent {
        let count = Int64(challenge.previousFailureCount)
        return SessionEvent(
            .didReceiveChallenge,
            task,
            [
                "protectionSpace": .space(challenge.protectionSpace),
                "hasProposedCredential": .flag(challenge.proposedCredential != nil),
                "previousFailureCount": .number(count),
                "disposition": .text(name(decision.disposition)),
                "source": decision.source.map { .text($0.rawValue) } ?? .none,
            ],
            method: method
        )
    }

    private static func name(_ disposition: URLSession.AuthChallengeDisposition) -> String {
        switch disposition {
        case .useCredential: "useCredential"
        case .performDefaultHandling: "performDefaultHandling"
        case .cancelAuthenticationChallenge: "cancelAuthenticationChallenge"
        case .rejectProtectionSpace: "rejectProtectionSpace"
        }
    }
}

extension EventValue {
    /// The protection space that needs a credential.
    fileprivate static func space(_ space: URLProtectionSpace) -> EventValue {
        func text(_ text: String?) -> EventValue { text.map(EventValue.text) ?? .none }
        let method = AuthenticationMethod.name(space.authenticationMethod)
        return .object(
            [
                EventMember("host", .text(space.host)),
                EventMember("port", .number(Int64(space.port))),
                EventMember("protocol", text(space.protocol)),
                EventMember("proxyType", text(space.proxyType)),
                EventMember("realm", text(space.realm)),
                EventMember("authenticationMethod", .text(space.authenticationMethod)),
                EventMember("serverTrust", space.serverTrust.map(trust) ?? .none),
            ],
            summary: "\(method ?? space.authenticationMethod) for \(space.shown)"
        )
    }

    /// The evaluation of a server's certificates.
    private static func trust(_ trust: ServerTrust) -> EventValue {
        let own = trust.certificates.first
        return .object(
            [
                EventMember("isTrusted", .flag(trust.isTrusted)),
                EventMember("reasons", .list(trust.reasons.map { .text($0.words) })),
                EventMember("subject", own.map { .text($0.subject) } ?? .none),
                EventMember("issuer", own.map { .text($0.issuer) } ?? .none),
                EventMember("publicKeyPin", own.map { .text($0.publicKeyPin) } ?? .none),
            ],
            summary: trust.isTrusted ? "trusted" : "not trusted"
        )
    }
}
