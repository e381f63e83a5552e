import FoundationEssentials

/// The life of a task: events go in, actions come out, and nothing else happens here.
struct TaskLifecycle {
    /// Where a task is, with the states that may follow.
    enum State {
        /// Between hops, or before the first. → delayed, askingDelayed, openingBody, requesting, ended
        case ready
        /// The date before which the first hop may not begin has not come. → ready, askingDelayed, ended
        case delayed
        /// The delegate was asked about a request that was delayed. → ready, openingBody, requesting,
        /// ended
        case askingDelayed
        /// The delegate was asked for a body stream. → ready, requesting, ended
        case openingBody
        /// The delegate was asked for credentials, after a hop that had no response but a proxy's
        /// refusal of a tunnel. → ready, ended
        indirect case identifying(AuthenticationQuestion, HopEnd)
        /// The delegate was asked for a client certificate; the hop is over. → ready, requesting,
        /// ended
        case choosingCertificate
        /// A name was not found, and it is being found out whether any name server could be asked;
        /// the hop is over. → ready, offline, ended
        indirect case lookingUp(HopEnd)
        /// There is no network; the hop is over. → ready, openingBody, requesting, ended
        case offline
        /// A hop is out, its head has not come. → identifying, choosingCertificate, lookingUp,
        /// offline, deciding, receiving, leaving, ended
        case requesting(HopID)
        /// The delegate was asked about a head; the body is paused. → deciding, receiving, leaving,
        /// ended
        case deciding(HopID, Question)
        /// The body goes where it was decided. → leaving, ended
        case receiving(HopID)
        /// The hop is drained or taken out; what comes next is settled. → ready, ended
        indirect case leaving(HopID, Next)
        /// The delegate was asked what of the response, which has come whole, is kept. → ended
        indirect case storing(HopEnd)
        /// A file has come whole, and is being compared with what it was to be. → ready, requesting,
        /// ended
        indirect case verifying(HopEnd)
        /// Another process carries it out. → ended
        case elsewhere
        /// All is over.
        case ended
    }

    /// What the delegate was asked.
    enum Question {
        indirect case redirect(HTTPURLResponse, RedirectPolicy.Proposal)
        indirect case challenge(AuthenticationQuestion)
        case response
        case destination
    }

    /// What comes after a hop.
    enum Next {
        case follow(RedirectPolicy.Proposal)
        /// Ask the same again, with credentials.
        case authenticate
        /// Ask for the whole.
        case startOver
        /// Serve what the cache has.
        case serveStored
        /// Ask the same again: what the cache had was of no use.
        case askAgain
        case fail(URLError)
    }

    /// What is to be done, in this order.
    ///
    /// What is large is indirect: an action is passed on several times.
    enum Action {
        case askBody
        /// Wait for the date as long as this; by which number the wait is known.
        case awaitDate(Duration, Int)
        indirect case askDelayed(URLRequest)
        indirect case start(URLRequest, TaskBody, HopID, timeLimit: Duration?)
        /// Start a hop that the cache serves.
        indirect case startStored(URLRequest, HopID)
        case suspendHop
        case resumeHop
        case cancelHop
        case decide(BodyDisposition)
        case askIdentity(WantedIdentity)
        indirect case lookUp(String, Int, timeLimit: Duration?)
        /// Report that the task waits for a network.
        case reportWaiting
        /// Begin the hop again when the network changes, after this time at most; `nil`: not before
        /// the task is resumed.
        case awaitNetwork(Duration?)
        case stopAwaitingNetwork
        indirect case askRedirect(HTTPURLResponse, URLRequest, HopID)
        /// Without a hop where it is a tunnel that was refused.
        indirect case askChallenge(AuthenticationQuestion, HopID?)
        /// The credential has proved good.
        indirect case keep(AuthenticationToken)
        case askResponse(URLResponse, HopID)
        case askDestination(URLResponse, HopID)
        /// The last response has come whole.
        case askCaching(CacheRecorder)
        /// Another response has.
        case store(CacheRecorder)
        /// A download takes the hop over.
        case becomeDownload(HopID)
        /// The part, if there was one, has no further use.
        indirect case reportStartOver(DownloadStartOver, ResumePoint?)
        /// A file has come whole: is it what it was to be?
        case verify(Download)
        /// A file is not, and goes.
        case remove(Download)
        indirect case complete(URLError?, HopEnd, PartialFile)
    }

    /// What this task does with responses.
    struct ResponsePolicy: Sendable {
        /// Whether there is a delegate to ask about redirects.
        var asksAboutRedirects: Bool
        /// What becomes of the body of the final response.
        var body: Body
        /// Whether a body that the delegate allows is given to it in one piece.
        var collects = false
        var maximumRedirects: Int
        /// Whether a redirect to what is no URL of HTTP's is the response.
        var acceptsOddRedirects = false
        /// Names of fields that a redirect to another origin drops.
        var secretHeaders: [String] = []
        /// The statuses of redirects after which a POST stays one.
        var redirectsKeepingPost: Set<Int> = []

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

            /// Whether it can become a file.
            var mayBecomeFile: Bool {
                if case .askResponse = self { true } else { isDownload }
            }
        }
    }

    var state = State.ready
    /// Whether the current hop's body may wait for the server to want it.
    var mayExpectContinue = false
    /// Tasks are made suspended.
    var isSuspended = true
    var isCancelled = false
    var currentRequest: URLRequest
    var redirects = 0
    /// Whether the last redirect led from TLS to a URL without.
    var hasLeftTLS = false
    var responsePolicy: ResponsePolicy
    var authentication: TaskAuthentication
    var body: TaskBody
    /// The body as the hop that is out has it.
    var sentBody = TaskBody.none
    /// The part of the file that is to be continued, as long as it may be.
    var resumePoint: ResumePoint?
    /// What the response is to that part.
    var continuation: BodyDisposition.Continuation?
    /// Whether what has come of a cancelled download stays, to be continued.
    var producesResumeData = false
    var beginning: Beginning
    /// Whether a server has said that it knows no `Expect`.
    var isExpectationRefused = false
    /// Whether what the delegate is asked about is one of a body's parts.
    var isPart = false
    /// Whether the next hop is served by the cache.
    var isServingStored = false
    /// The hops that have begun.
    var hops = 0
    /// The waits for a date that have begun.
    var delays = 0
    /// Whether the delegate has let a delayed request begin.
    var hasAskedDelayed = false
    var stopwatch = Stopwatch()
    var connectivity: ConnectivityState
    let timeLimit: Duration?

    init(
        _ request: URLRequest,
        body: TaskBody,
        responsePolicy: ResponsePolicy,
        timeLimit: Duration?,
        authentication: TaskAuthentication = TaskAuthentication(memory: AuthenticationMemory()),
        beginning: Beginning = .atFirstByte,
        waitsForConnectivity: Bool = false
    ) {
        currentRequest = request
        connectivity = ConnectivityState(isWanted: waitsForConnectivity)
        self.authentication = authentication
        self.body = body
        self.responsePolicy = responsePolicy
        self.timeLimit = timeLimit
        self.beginning = beginning
        if case .at(let point) = beginning { resumePoint = point }
    }

    /// The hop whose response goes to the delegate, if there is one.
    func delivers(_ id: HopID) -> Bool {
        if case .receiving(id) = state { true } else { false }
    }
}
