import FoundationEssentials

/// The life of a task: events go in, actions come out, and nothing else happens here.
struct TaskLifecycle {
    /// Where a task stands, with the states that may follow.
    enum State {
        /// Between hops, or before the first. → openingBody, requesting, ended
        case ready
        /// The delegate was asked for a body stream. → ready, requesting, ended
        case openingBody
        /// The delegate was asked who one is, after a hop that had no answer but a proxy's refusal
        /// of a tunnel. → ready, ended
        case identifying(AuthenticationQuestion, HopEnd)
        /// The delegate was asked for a client certificate; the hop is over. → ready, requesting,
        /// ended
        case choosingCertificate
        /// A hop is out, its head has not come. → identifying, choosingCertificate, deciding,
        /// receiving, leaving, ended
        case requesting(HopID)
        /// The delegate was asked about a head; the body is held. → deciding, receiving, leaving,
        /// ended
        case deciding(HopID, Question)
        /// The body goes where it was decided. → leaving, ended
        case receiving(HopID)
        /// The hop is drained or taken out; what comes next is settled. → ready, ended
        case leaving(HopID, Next)
        /// All is over.
        case ended
    }

    /// What the delegate was asked.
    enum Question {
        case redirect(HTTPURLResponse, RedirectPolicy.Proposal)
        case challenge(AuthenticationQuestion)
        case response
        case destination
    }

    /// What comes after a hop.
    enum Next {
        case follow(RedirectPolicy.Proposal)
        /// Ask the same again, and say who one is.
        case authenticate
        /// Ask for the whole.
        case startOver
        case fail(URLError)
    }

    /// What is to be done, in this order.
    enum Action {
        case askBody
        case start(URLRequest, TaskBody, HopID, timeLimit: Duration?)
        case suspendHop
        case resumeHop
        case cancelHop
        case decide(BodyDisposition)
        case askIdentity(WantedIdentity)
        case askRedirect(HTTPURLResponse, URLRequest, HopID)
        /// Without a hop where it is a tunnel that was refused.
        case askChallenge(AuthenticationQuestion, HopID?)
        /// The credential has proved good.
        case keep(AuthenticationPass)
        case askResponse(URLResponse, HopID)
        case askDestination(URLResponse, HopID)
        /// The part, if there was one, has no further use.
        case tellStartOver(DownloadStartOver, ResumePoint?)
        case complete(URLError?, HopEnd, Remains)
    }

    /// What this task does with answers.
    struct Manner: Sendable {
        /// Whether there is anybody to ask about redirects.
        var asksAboutRedirects: Bool
        /// What becomes of the body of the final answer.
        var body: Body
        var maximumRedirects: Int
        /// Names of fields that a redirect to another origin drops.
        var secretHeaders: [String] = []

        enum Body: Sendable {
            /// Ask the delegate, then deliver.
            case askResponse
            /// Ask the delegate where to, then write.
            case askDestination
            /// Settled from the start.
            case settled(BodyDisposition)

            /// Whether it becomes a file.
            var isDownload: Bool {
                switch self {
                case .askDestination, .settled(.write): true
                case .askResponse, .settled: false
                }
            }
        }
    }

    var state = State.ready
    /// Whether the current hop's body may wait for the server to want it.
    var mayExpectContinue = false
    /// Tasks are made suspended.
    private(set) var isSuspended = true
    private(set) var isCancelled = false
    private(set) var currentRequest: URLRequest
    private(set) var redirects = 0
    var manner: Manner
    var authentication: TaskAuthentication
    var body: TaskBody
    /// The body as the hop that is out has it.
    private(set) var sentBody = TaskBody.none
    /// The part of the file that is to be continued, as long as it may be.
    var resumePoint: ResumePoint?
    /// What the answer is to that part.
    var continuation: BodyDisposition.Continuation?
    private var producesResumeData = false
    private var beginning: Beginning
    /// Whether a server has said that it knows no `Expect`.
    private(set) var isExpectationRefused = false
    private var hops = 0
    private var stopwatch = Stopwatch()
    private let timeLimit: Duration?

    init(
        _ request: URLRequest,
        body: TaskBody,
        manner: Manner,
        timeLimit: Duration?,
        authentication: TaskAuthentication = TaskAuthentication(memory: AuthenticationMemory()),
        beginning: Beginning = .atFirstByte
    ) {
        currentRequest = request
        self.authentication = authentication
        self.body = body
        self.manner = manner
        self.timeLimit = timeLimit
        self.beginning = beginning
        if case .at(let point) = beginning { resumePoint = point }
    }

    /// The hop whose answer goes to the delegate, if there is one.
    func delivers(_ id: HopID) -> Bool {
        if case .receiving(id) = state { true } else { false }
    }
}

// What the program asks for.
extension TaskLifecycle {
    mutating func resume() -> [Action] {
        guard isSuspended else { return [] }
        isSuspended = false
        stopwatch.start()
        switch state {
        case .ready: return begin()
        case .openingBody, .identifying, .choosingCertificate, .ended: return []
        case .requesting, .deciding, .receiving, .leaving: return [.resumeHop]
        }
    }

    mutating func suspend() -> [Action] {
        guard !isSuspended else { return [] }
        isSuspended = true
        stopwatch.stop()
        switch state {
        case .ready, .openingBody, .identifying, .choosingCertificate, .ended: return []
        case .requesting, .deciding, .receiving, .leaving: return [.suspendHop]
        }
    }

    /// - Parameters:
    ///   - error: what the task ends with.
    ///   - producesResumeData: whether what has come of a download stays, to be continued.
    /// - Returns: what is to be done.
    mutating func cancel(
        _ error: URLError = URLError(.cancelled),
        producingResumeData producesResumeData: Bool = false
    ) -> [Action] {
        if case .ended = state { return [] }
        // Whoever cancelled first has decided what remains.
        if !isCancelled { self.producesResumeData = producesResumeData }
        isCancelled = true
        switch state {
        case .ready, .openingBody, .choosingCertificate: return end(error)
        case .identifying(_, let hopEnd): return end(error, hopEnd)
        case .ended, .leaving(_, .fail): return []
        case .deciding(let id, _): return leave(id, error, wasAsked: true)
        case .requesting(let id), .receiving(let id), .leaving(let id, .follow),
            .leaving(let id, .authenticate), .leaving(let id, .startOver):
            return leave(id, error, wasAsked: false)
        }
    }
}

// What the delegate answers. An answer that comes late, or twice, finds another state: no effect.
extension TaskLifecycle {
    mutating func answerBody(_ stream: (any HTTPBodyStream)?) -> [Action] {
        guard case .openingBody = state else { return [] }
        guard let stream else {
            let words = hops == 0 ? "there is no body stream" : "the stream cannot be had again"
            return end(URLError(.requestBodyStreamExhausted, detail: words))
        }
        body = .stream(stream)
        return goOn()
    }

    mutating func answerRedirect(_ id: HopID, _ request: URLRequest?) -> [Action] {
        guard case .deciding(id, .redirect(let response, var proposal)) = state else { return [] }
        guard let request else {
            let (disposition, actions) = accept(response, id)
            if case .hold = disposition { return actions }
            return [.decide(disposition)] + actions
        }
        proposal.replace(by: request)
        state = .leaving(id, .follow(proposal))
        return [.decide(.discard)]
    }

    mutating func answerResponse(
        _ id: HopID,
        _ disposition: URLSession.ResponseDisposition
    ) -> [Action] {
        guard case .deciding(id, .response) = state else { return [] }
        switch disposition {
        case .allow:
            state = .receiving(id)
            return [.decide(.deliver)]
        case .cancel: return leave(id, URLError(.cancelled), wasAsked: true)
        }
    }

    mutating func answerDestination(_ id: HopID, _ destination: DownloadDestination?) -> [Action] {
        guard case .deciding(id, .destination) = state else { return [] }
        guard let destination else { return leave(id, URLError(.cancelled), wasAsked: true) }
        // Nothing is written over a part that an error status says nothing about.
        if continuation == nil, let point = resumePoint, destination.isFile(of: point.data) {
            let words = "the part is kept, and not overwritten by an error"
            return leave(id, URLError(.cannotCreateFile, detail: words), wasAsked: true)
        }
        state = .receiving(id)
        return [.decide(.write(destination, continuation))]
    }
}

// What the transport reports.
extension TaskLifecycle {
    mutating func failedToStart(_ error: URLError) -> [Action] {
        end(error)
    }

    mutating func received(
        _ response: HTTPURLResponse,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard case .requesting(id) = state else { return (.discard, []) }
        if response.statusCode == 417, !isExpectationRefused, mayExpectContinue {
            isExpectationRefused = true
            state = .leaving(id, .authenticate)
            return (.discard, [])
        }
        let (step, accepted) = authentication.received(response, to: currentRequest.url)
        let kept = accepted.map(Action.keep)
        switch step {
        case .stand: break
        case .again:
            state = .leaving(id, .authenticate)
            return (.discard, kept)
        case .ask(let question):
            state = .deciding(id, .challenge(question))
            return (.hold, kept + [.askChallenge(question, id)])
        }
        let (disposition, actions) = receivedAnswer(response, of: id)
        return (disposition, kept + actions)
    }

    /// Takes an answer that has nothing against who one is.
    private mutating func receivedAnswer(
        _ response: HTTPURLResponse,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        let proposal: RedirectPolicy.Proposal?
        do throws(URLError) {
            proposal = try RedirectPolicy.proposal(
                after: response,
                to: currentRequest,
                secretHeaders: manner.secretHeaders
            )
        } catch {
            return (.discard, leave(id, error, wasAsked: false))
        }
        guard let proposal else { return judge(response, id) }
        guard !manner.asksAboutRedirects else {
            state = .deciding(id, .redirect(response, proposal))
            return (.hold, [.askRedirect(response, proposal.request, id)])
        }
        state = .leaving(id, .follow(proposal))
        return (.discard, [])
    }

    mutating func ended(_ id: HopID, _ hopEnd: HopEnd) -> [Action] {
        if let wanted = hopEnd.wantedIdentity, case .requesting(id) = state {
            return identify(wanted)
        }
        switch state {
        case .requesting(id) where hopEnd.proxyHead?.statusCode == 407:
            return refusedTunnel(hopEnd)
        case .requesting(id), .deciding(id, _), .receiving(id):
            guard let reason = hopEnd.startOver else { return end(hopEnd.error, hopEnd) }
            return [.tellStartOver(reason, resumePoint)] + startOver()
        case .leaving(id, .fail(let error)): return end(error, hopEnd)
        case .leaving(id, .startOver): return startOver()
        case .leaving(id, .authenticate): return goOn()
        case .leaving(id, .follow(let proposal)): return follow(proposal)
        default: return []
        }
    }
}

extension TaskLifecycle {
    mutating func begin() -> [Action] {
        switch beginning {
        case .atFirstByte, .at: break
        case .impossible(let error): return end(error)
        case .over(let reason):
            beginning = .atFirstByte
            return [.tellStartOver(reason, nil)] + begin()
        }
        if body.mustAsk {
            state = .openingBody
            return [.askBody]
        }
        let left = timeLimit.map { $0 - stopwatch.elapsed }
        if let left, left <= .zero {
            return end(URLError(.timedOut, detail: "the whole took too long"))
        }
        hops += 1
        let id = HopID(number: hops)
        state = .requesting(id)
        sentBody = body
        defer { body = body.again }
        let request = resumePoint?.asking(currentRequest) ?? currentRequest
        return [.start(request, body, id, timeLimit: left)]
    }

    private mutating func follow(_ proposal: RedirectPolicy.Proposal) -> [Action] {
        redirects += 1
        guard redirects <= manner.maximumRedirects else {
            return end(
                URLError(
                    .httpTooManyRedirects,
                    detail: "more than \(manner.maximumRedirects)",
                    failingURL: proposal.request.url
                )
            )
        }
        currentRequest = proposal.request
        authentication.redirected()
        if !proposal.keepsBody { body = proposal.ownBody }
        return goOn()
    }

    /// Has the next hop begin, unless the task is suspended.
    mutating func goOn() -> [Action] {
        state = .ready
        return isSuspended ? [] : begin()
    }

    mutating func accept(
        _ response: HTTPURLResponse,
        _ id: HopID
    ) -> (BodyDisposition, [Action]) {
        switch manner.body {
        case .askResponse:
            state = .deciding(id, .response)
            return (.hold, [.askResponse(response, id)])
        case .askDestination:
            state = .deciding(id, .destination)
            return (.hold, [.askDestination(response, id)])
        case .settled(.write(let destination, _)):
            state = .receiving(id)
            return (.write(destination, continuation), [])
        case .settled(let disposition):
            state = .receiving(id)
            return (disposition, [])
        }
    }

    /// Gives a hop up; the task ends when the hop has.
    ///
    /// A hop that `wasAsked` about still waits for a decision, without which it cannot end.
    mutating func leave(_ id: HopID, _ error: URLError, wasAsked: Bool) -> [Action] {
        state = .leaving(id, .fail(error))
        return (wasAsked ? [.decide(.discard)] : []) + [.cancelHop]
    }

    mutating func end(_ error: URLError?, _ hopEnd: HopEnd = HopEnd()) -> [Action] {
        state = .ended
        let isLost = error == nil || (isCancelled && !producesResumeData)
        return [.complete(error, hopEnd, isLost ? .nothing : .partial(resumePoint?.data))]
    }
}
