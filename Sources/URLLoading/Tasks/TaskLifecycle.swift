import FoundationEssentials

/// The life cycle of a task: takes events and returns actions, without side effects.
struct TaskLifecycle {
    /// The states of a task, each with the states that may follow.
    enum State {
        /// Between hops, or before the first. → delayed, askingDelayed, openingBody, requesting, ended
        case ready
        /// The task waits for its earliest begin date. → ready, askingDelayed, ended
        case delayed
        /// The task has asked the delegate about a delayed request. → ready, openingBody, requesting, ended
        case askingDelayed
        /// The task has asked the delegate for a body stream. → ready, requesting, ended
        case openingBody
        /// The task has asked the delegate for credentials, after a proxy refused a tunnel; the hop is over.
        /// → ready, ended
        indirect case identifying(AuthenticationQuestion, HopEnd)
        /// The task has asked the delegate for a client certificate; the hop is over. → ready, requesting,
        /// ended
        case choosingCertificate
        /// No network is available; the hop is over. → ready, openingBody, requesting, ended
        case offline
        /// A hop is running, its response's head has not arrived. → identifying, choosingCertificate,
        /// offline, deciding, receiving, leaving, ended
        case requesting(HopID)
        /// The task has asked the delegate about a head; the body is paused. → deciding, receiving, leaving,
        /// ended
        case deciding(HopID, Question)
        /// The body goes to its destination. → leaving, ended
        case receiving(HopID)
        /// The task drains or cancels the hop; `Next` is the next step. → ready, ended
        indirect case leaving(HopID, Next)
        /// The response is complete; the task has asked the delegate whether to store it. → ended
        indirect case storing(HopEnd)
        /// The file is complete; the task compares it with its expected digest. → ready, requesting, ended
        indirect case verifying(HopEnd)
        /// Another process carries out the task. → ended
        case inTransferProcess
        case ended
    }

    /// The subject of a question to the delegate.
    enum Question {
        indirect case redirect(HTTPURLResponse, RedirectPolicy.Proposal)
        indirect case challenge(AuthenticationQuestion)
        case response
        case destination
    }

    /// The next step after a hop.
    enum Next {
        case follow(RedirectPolicy.Proposal)
        /// Request the whole file.
        case startOver
        case serveStored
        /// Send the request again: with credentials, or without an `Expect` or an unusable stored response.
        case sendAgain
        indirect case fail(URLError)
    }

    /// What to do, in the order of the array.
    ///
    /// Cases with large values are indirect, because several functions pass an action on.
    enum Action {
        case askBody
        /// Wait for this long; the number identifies the wait.
        case awaitDate(Duration, Int)
        indirect case askDelayed(URLRequest)
        indirect case start(URLRequest, TaskBody, HopID, timeLimit: Duration?)
        indirect case startStored(URLRequest, HopID)
        case suspendHop
        case resumeHop
        case cancelHop
        case decide(BodyDisposition)
        /// Ask for a client certificate of these issuers, each a DER name; empty: any.
        case askIdentity([Data])
        case reportWaiting
        /// Begin the hop again when the network changes, or after this time; `nil`: only when the caller
        /// resumes the task.
        case awaitNetwork(Duration?)
        case stopAwaitingNetwork
        indirect case askRedirect(HTTPURLResponse, URLRequest, HopID)
        /// `HopID` is `nil` where a proxy refused a tunnel.
        indirect case askChallenge(AuthenticationQuestion, HopID?)
        /// Store the credential, which the server has accepted.
        indirect case keep(AuthenticationToken)
        case askResponse(URLResponse, HopID)
        case askDestination(URLResponse, HopID)
        /// Deliver a body in one piece.
        case deliver(Data)
        /// Ask the delegate whether to store the final response, which is complete.
        case askCaching(CacheRecorder)
        /// Store a complete response that is not the final one.
        case store(CacheRecorder)
        /// Make a download that takes over the hop.
        case becomeDownload(HopID)
        /// Report that the download restarts, and remove the partial file if it is temporary.
        indirect case reportStartOver(DownloadStartOver, ResumePoint?)
        /// Compare a complete file with its expected digest.
        case verify(Download)
        /// Remove a file with a wrong digest.
        case remove(Download)
        indirect case complete(URLError?, HopEnd, PartialFile)
    }

    /// How this task handles responses.
    struct ResponsePolicy: Sendable {
        /// Whether there is a delegate to ask about redirects.
        var asksAboutRedirects: Bool
        /// The destination of the final response's body.
        var body: Body
        /// Whether the delegate receives a data task's body in one piece.
        var collects = false
        var maximumRedirects: Int
        /// Whether the task delivers a redirect to a URL of another protocol as the final response.
        var deliversNonHTTPRedirects = false
        /// Names of header fields to drop on a redirect to another origin.
        var secretHeaders: [String] = []
        /// The statuses of redirects after which a POST remains a POST.
        var redirectsKeepingPost: Set<Int> = []

        enum Body: Sendable {
            /// Ask the delegate, then deliver.
            case askResponse
            /// Ask the delegate for a destination, then write.
            case askDestination
            /// Decided before the task began.
            case settled(BodyDisposition)

            /// Whether the body goes to a file.
            var isDownload: Bool {
                switch self {
                case .askDestination, .settled(.write): true
                case .askResponse, .settled: false
                }
            }

            /// Whether the body can go to a file.
            var mayBecomeFile: Bool {
                if case .askResponse = self { true } else { isDownload }
            }
        }
    }

    var state = State.ready
    /// Whether the current hop may send `Expect: 100-continue` and delay the body.
    var mayExpectContinue = false
    /// A new task is suspended.
    var isSuspended = true
    var isCancelled = false
    var currentRequest: URLRequest
    var redirects: Int
    /// Whether the last redirect led from a URL with TLS to one without.
    var hasLeftTLS = false
    var responsePolicy: ResponsePolicy
    var authentication: TaskAuthentication
    var body: TaskBody
    var sentBody = TaskBody.none
    /// The partial file to continue; `nil` once it is known to be unusable.
    var resumePoint: ResumePoint?
    /// How the response continues the partial file.
    var continuation: BodyDisposition.Continuation?
    /// Whether a cancelled download keeps its received bytes for a later task.
    var producesResumeData = false
    var beginning: Beginning
    var isExpectationRefused = false
    /// Whether the current response is one part of a multipart body.
    var isPart = false
    /// Whether the next hop serves a stored response.
    var isServingStored = false
    /// The number of hops that have begun.
    var hops = 0
    /// The number of waits for a date that have begun.
    var delays = 0
    /// Whether the task has asked the delegate about the delayed request.
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
        waitsForConnectivity: Bool = false,
        redirects: Int = 0
    ) {
        currentRequest = request
        connectivity = ConnectivityState(isWanted: waitsForConnectivity)
        self.authentication = authentication
        self.body = body
        self.responsePolicy = responsePolicy
        self.timeLimit = timeLimit
        self.beginning = beginning
        self.redirects = redirects
        if case .at(let point) = beginning { resumePoint = point }
    }

    /// Whether this hop's body goes to the delegate.
    func delivers(_ id: HopID) -> Bool {
        if case .receiving(id) = state { true } else { false }
    }
}
