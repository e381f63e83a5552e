import URLLoading

/// The settings that all tasks share, none contradicting another.
struct SessionPlan: Equatable, Sendable {
    /// Which versions of HTTP are spoken.
    enum HTTPVersion: Sendable {
        case automatic
        case http10Only
        case http1Only
        case http2
    }

    /// Which addresses are used.
    enum AddressFamily: Sendable {
        case any
        case ipv4
        case ipv6
    }

    /// Nil is no limit, in all three.
    let idleTimeout: Duration?
    let connectTimeout: Duration?
    let maxTime: Duration?
    /// Whether a task for which there is no network waits for one.
    let waitsForConnectivity: Bool
    let httpVersion: HTTPVersion
    let addressFamily: AddressFamily
    let resolve: [ResolveEntry]
    let connectTo: [ConnectToEntry]
    /// What may be asked for.
    let schemes: SchemeList
    let unixSocket: String?
    let interface: String?
    /// Bytes per second, each way.
    let limitRate: Int64?
    /// Nil: the library's own number.
    let maximumConnectionsPerHost: Int?
    /// Over how many connections a file may come.
    let split: Int
    /// What outlives the run besides HSTS, and from which run to which.
    let session: NamedSession?
    /// Whether nothing is kept.
    let isEphemeral: Bool
    let cookies: CookiePlan
    let strictTransport: StrictTransportChoice
    let cache: CachePlan
    let tls: TLSPlan
    let proxy: ProxyPlan
    /// Whether an HTTP proxy is asked for a tunnel for plain HTTP too.
    let tunnelsThroughProxy: Bool
    /// Who one is, whatever proxy it is.
    var proxyUser: UserPassword?
    /// The pass phrase of the client certificate's key.
    var keyPassword: Secret?
    let redirects: RedirectChoice
    let maxRedirects: Int
    /// The statuses after which a POST stays one.
    let redirectsKeepingPost: Set<Int>
    /// Whether `/../` and `/./` stay in paths.
    let keepsDotSegments: Bool
    /// Where redirects may lead, of what may be asked for.
    let redirectSchemes: SchemeList
    /// Whether credentials go where redirects lead.
    let trustsRedirects: Bool
    /// Whether files have the server's time.
    let keepsServerTime: Bool
    /// Which servers are shown a Kerberos ticket.
    var ticketUse = URLSessionConfiguration.TicketUse()
    /// Names of further header fields that are credentials.
    let secretHeaders: [String]
    /// What is kept of a body that can be read once, bytes.
    let spoolLimit: Int64
    let contentDecoding: URLSessionConfiguration.ContentDecoding
    /// Whether the header has no `Accept-Encoding` though codings are undone.
    let omitsAcceptEncoding: Bool
    /// Whether bodies are compared with what servers say of them.
    let checksDigests: Bool
    /// What is tried again, and when.
    let retries: RetryPolicy
    /// The rate below which a try is given up; nil: none.
    let leastRate: URLSessionConfiguration.LeastRate?
    /// Whether the command line says how often a task is tried.
    let namesTries: Bool
}

extension SessionPlan {
    /// The tries of what goes to no file, unless the command line names a number: behind a pipe there
    /// may be a health check, which has no time.
    private static let outputTries = 3
    /// The longest that such a task goes on trying without anything new.
    private static let outputTime: Duration = .seconds(10)

    /// What of a task is tried again, and when.
    func retries(of task: TaskPlan) -> RetryPolicy {
        guard !namesTries else { return retries }
        switch task.kind.destination {
        case .file, .automatic: return retries
        case .standardOutput, .device:
            var policy = retries
            policy.tries = Self.outputTries
            policy.timeLimit = policy.timeLimit ?? .sinceAdvance(Self.outputTime)
            return policy
        }
    }
}

extension SessionPlan {
    /// Why a scheme is not asked for; `nil` where it is.
    func refusal(of scheme: String, isRedirect: Bool = false) -> String? {
        if !schemes.allows(scheme) { return "--proto allows \(schemes.words) alone" }
        guard isRedirect, !redirectSchemes.allows(scheme) else { return nil }
        return "--proto-redir allows \(redirectSchemes.words) alone"
    }

    /// Whether a file was named that outlives the run: not to have it is a failure.
    var namesStateFiles: Bool {
        if case .file = strictTransport { return true }
        return switch cookies.storage {
        case .file, .session: true
        case .none, .memory: false
        }
    }
}
