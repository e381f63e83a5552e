/// One request, ready to send.
struct HopRequest: Sendable {
    var request: PreparedRequest
    /// What stands in the way; `nil`: nothing.
    var proxy: ProxyServer?
    var body: (any HTTPBodyStream)?
    /// The handshake by which the server is told who one is, where it is one on the connection.
    var authentication: ConnectionProof?
    /// The same for the proxy.
    var proxyAuthentication: ConnectionProof?
    /// Whether a large body waits for the server to ask for it.
    var mayExpectContinue = false
    /// Whether the body can be had again, should a connection die under it.
    var bodyIsReplayable: Bool
    var idleTimeout: Duration?
    /// What is left of the time the task may take as a whole.
    var timeLimit: Duration?
    /// Which addresses a name may have.
    var family = URLSessionConfiguration.AddressFamily.any
    /// 0 to 1.
    var priority: Float
    /// What is known of the answer's use.
    var answer: AnswerHandling
    /// Whether the client has the last word about the server.
    var asksAboutServer = false
    /// What a server that wants a client certificate is shown.
    var identity = HopIdentity.none

    /// Whether the answer's cookies are wanted.
    var readsCookies = false

    /// Whether it goes to the origin of the task's first request.
    var isHome = true

    /// Whether names are looked up again: there was no network when that was tried last.
    var looksUpAfresh = false

    /// Whether somebody wants to know what it costs.
    var collectsMetrics = false

    /// Which of the transport's threads carries it out, from 0.
    ///
    /// Those beyond the first are for hops that keep a core busy; what must wait for a ticket has a
    /// thread of its own.
    var lane = 0
    /// The hops whose rate it shares; `nil`: it has one of its own.
    var rateGroup: RateGroup?
    /// Whether it has a connection to itself, whatever the server would agree on.
    var isAlone = false

    /// Whether a ticket is needed for it.
    var negotiates: Bool {
        [authentication, proxyAuthentication].contains { $0?.method == .negotiate }
    }
}
