import Dispatch
import FoundationEssentials
import Synchronization

// Credentials: which ones a hop sends, which delegate is asked for them, and in what order.
extension URLSessionTask {
    /// A request with what it says for itself.
    func authenticated(
        _ request: URLRequest,
        _ body: TaskBody,
        through proxy: ProxyServer?,
        _ locked: inout Locked
    ) throws(URLError) -> (PreparedRequest, TaskAuthentication.Proofs) {
        var prepared = try PreparedRequest(request, session.settings)
        if locked.lifecycle.isExpectationRefused { prepared.remove("Expect") }
        guard let url = request.url else { throw URLError(.badURL, detail: "no URL") }
        let proofs = locked.lifecycle.authentication.prove(
            prepared,
            url,
            hasBody: body.isSome || !prepared.isSafe,
            body: body.digestBody,
            through: proxy
        )
        prepared.replace(by: proofs.fields)
        // libcurl writes these itself, and would leave the caller's, which was refused, beside them.
        if proofs.server?.connectionLevel != nil { prepared.remove("Authorization") }
        if proofs.proxy?.connectionLevel != nil { prepared.remove("Proxy-Authorization") }
        return (prepared, proofs)
    }

    /// A body up to this length is sent at once, bytes: to wait takes longer than to send it again.
    ///
    /// As curl's own limit for a POST.
    private static let longestUnasked: Int64 = 1 << 20

    /// Whether a server or a proxy is likely to refuse a request without a credential that is
    /// there, or the caller says so, so a long body waits.
    ///
    /// - Parameters:
    ///   - request: the caller's.
    ///   - prepared: what is sent.
    ///   - body: its body.
    ///   - proxy: the proxy in its way.
    ///   - proofs: what it says for itself.
    ///   - locked: the task, under its lock.
    /// - Returns: whether it asks before it sends the body.
    func expectsRefusal(
        _ request: URLRequest,
        _ prepared: PreparedRequest,
        _ body: (any HTTPBodyStream)?,
        through proxy: ProxyServer?,
        _ proofs: TaskAuthentication.Proofs,
        _ locked: borrowing Locked
    ) -> Bool {
        if locked.lifecycle.isExpectationRefused { return false }
        if request.headerFields["Expect"] != nil { return true }
        guard let body, body.contentLength.map({ $0 > Self.longestUnasked }) ?? true else {
            return false
        }
        // A proxy says so before the body where it is asked for a tunnel.
        if let proxy, proxy.scheme.isHTTP, !prepared.isSecure, proxy.ownCredential != nil,
            proofs.proxy == nil, !prepared.has("Proxy-Authorization")
        {
            return true
        }
        guard proofs.server == nil, request.headerFields["Authorization"] == nil else {
            return false
        }
        return request.url?.ownCredential != nil || session.settings.transport.expectsChallenges
    }

    /// Shows a Kerberos ticket where the server is one that may see it, or else finds out what would
    /// be sent by default, and asks.
    func askChallenge(_ question: AuthenticationQuestion, _ id: HopID?, _ now: borrowing Locked) {
        guard question.wantsTicket else { return propose(question, id, now) }
        let tickets = TicketPolicy(use: session.settings.transport.ticketUse)
        // Files are read for it: neither the loop nor the task's lock waits for them.
        session.reading.async { [self] in
            let isShown = tickets.shows(to: question.space)
            apply { locked in
                // A task that has been cancelled meanwhile asks nothing any more.
                guard locked.lifecycle.isAsking(question, id) else { return [] }
                if isShown { return locked.lifecycle.resolveChallenge(id, question, .useTicket) }
                propose(question, id, locked)
                return []
            }
        }
    }

    /// Finds out what would be sent by default, and asks.
    private func propose(_ question: AuthenticationQuestion, _ id: HopID?, _ now: borrowing Locked)
    {
        let request = now.lifecycle.currentRequest
        let inURL =
            question.space.isProxy()
            ? (try? session.proxies.server(for: request))?.ownCredential
            : request.url?.ownCredential
        guard inURL == nil, now.lifecycle.authentication.maySpeak(in: question.space),
            let storage = session.settings.credentialStorage
        else {
            return ask(question, id, proposing: inURL, now)
        }
        // The key store may take its time: neither the loop nor other tasks wait for it.
        storage.queue.async { [self] in
            let stored = storage.defaultCredential(for: question.space)
            locked.withLock { locked in
                // A task that was cancelled meanwhile asks nothing any more.
                guard locked.lifecycle.isAsking(question, id) else { return }
                ask(question, id, proposing: stored, locked)
            }
        }
    }

    private func ask(
        _ question: AuthenticationQuestion,
        _ id: HopID?,
        proposing credential: URLCredential?,
        _ locked: borrowing Locked
    ) {
        let credential = credential.flatMap { question.hasRefused($0) ? nil : $0 }
        let challenge = question.challenge(proposing: credential)
        ask(challenge, locked) { [self] disposition, own in
            let result = AuthenticationDisposition(
                disposition,
                own,
                proposed: credential
            )
            apply { $0.lifecycle.resolveChallenge(id, question, result) }
        }
    }

    /// Keeps a credential that has proved good, as long as it says.
    func keep(_ token: AuthenticationToken) {
        guard !token.isRemembered, let credential = token.credential,
            credential.persistence != .none, credential != token.url?.ownCredential,
            let storage = session.settings.credentialStorage
        else { return }
        storage.queue.async {
            // What was found there need not be brought there.
            guard storage.defaultCredential(for: token.space) != credential else { return }
            storage.setDefaultCredential(credential, for: token.space)
        }
    }
}

extension AuthenticationDisposition {
    /// - Parameters:
    ///   - disposition: what a delegate said.
    ///   - credential: what it said to use.
    ///   - proposed: what is used by default; `nil` where there is nothing, or it was refused.
    fileprivate init(
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?,
        proposed: URLCredential?
    ) {
        switch disposition {
        case .useCredential: self = credential.map(AuthenticationDisposition.use) ?? .deliver
        case .performDefaultHandling:
            self = proposed.map(AuthenticationDisposition.use) ?? .reject
        case .rejectProtectionSpace: self = .reject
        case .cancelAuthenticationChallenge: self = .cancel
        }
    }
}

extension TaskBody {
    /// What a digest can be about.
    fileprivate var digestBody: DigestBody {
        switch self {
        case .none: .none
        case .data(let data): .data(data)
        case .file, .stream: .unknown
        }
    }
}

extension URL {
    /// The user and password that are in it.
    fileprivate var ownCredential: URLCredential? {
        guard let user = user(percentEncoded: false), !user.isEmpty else { return nil }
        return URLCredential(
            user: user,
            password: password(percentEncoded: false) ?? "",
            persistence: .forSession
        )
    }
}

extension ProxyServer {
    /// The user and password that are in its URL, or beside it.
    fileprivate var ownCredential: URLCredential? {
        guard let user, !user.isEmpty else { return nil }
        return URLCredential(
            user: user,
            password: password?.text ?? "",
            persistence: .forSession
        )
    }
}

// The delegate that is asked about a challenge.
extension URLSessionTask {
    /// Takes a delegate's disposition of a challenge.
    typealias ChallengeCompletion =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// Asks the delegates about a challenge, on the delegate queue.
    ///
    /// What proves a connection goes to the session's delegate, and where that does not implement
    /// the method to the task's; all else goes to the task's only. Where there is no delegate the
    /// default applies.
    ///
    /// - Parameters:
    ///   - challenge: what is asked for, by which server or proxy.
    ///   - locked: the task, under its lock.
    ///   - completion: called once, on whatever thread the delegate replies.
    func ask(
        _ challenge: URLAuthenticationChallenge,
        _ locked: borrowing Locked,
        completion: @escaping ChallengeCompletion
    ) {
        let own = audience(locked)
        let once = FirstCompletion(completion, session.queue)
        session.queue.async { [self] in
            guard challenge.protectionSpace.isConnectionLevel, let delegate = session.delegate
            else { return ask(own, challenge, once) }
            delegate.urlSession(session, didReceive: challenge) { disposition, credential in
                guard challenge.wasUnhandled() else {
                    return once.take(disposition, credential)
                }
                self.ask(own, challenge, once)
            }
        }
    }

    private func ask(
        _ delegate: (any URLSessionTaskDelegate)?,
        _ challenge: URLAuthenticationChallenge,
        _ completion: FirstCompletion
    ) {
        guard let delegate else { return completion.take(.performDefaultHandling, nil) }
        delegate.urlSession(session, task: self, didReceive: challenge) { disposition, credential in
            completion.take(disposition, credential)
        }
    }

    /// Takes the first disposition: a delegate's second call is ignored.
    private final class FirstCompletion: Sendable {
        /// The caller that waits; a delegate that lets go of its handler has nothing to say.
        private let completion: Mutex<ChallengeCompletion?>
        private let queue: DelegateLane

        init(_ completion: @escaping ChallengeCompletion, _ queue: DelegateLane) {
            self.completion = Mutex(completion)
            self.queue = queue
        }

        deinit {
            guard let completion = takeCompletion() else { return }
            // The last to let go may hold the task's lock.
            queue.async { completion(.performDefaultHandling, nil) }
        }

        func take(
            _ disposition: URLSession.AuthChallengeDisposition,
            _ credential: URLCredential?
        ) {
            takeCompletion()?(disposition, credential)
        }

        private func takeCompletion() -> ChallengeCompletion? {
            completion.withLock { completion in
                defer { completion = nil }
                return completion
            }
        }
    }
}
