import CurlMulti
import FoundationEssentials

/// One request, ready to send.
struct HopRequest: Sendable {
    var request: PreparedRequest
    /// What is in the way; `nil`: nothing.
    var proxy: ProxyServer?
    var body: (any HTTPBodyStream)?
    /// The handshake by which the client proves its identity, where it is one on the connection.
    var authentication: ConnectionProof?
    /// The same for the proxy.
    var proxyAuthentication: ConnectionProof?
    /// Whether a large body waits for the server to ask for it.
    var mayExpectContinue = false
    /// Whether the body can be read again if a connection dies.
    var bodyIsReplayable: Bool
    var idleTimeout: Duration?
    /// What is left of the time the task may take as a whole.
    var timeLimit: Duration?
    /// Which addresses a name may have.
    var family = URLSessionConfiguration.AddressFamily.any
    /// 0 to 1.
    var priority: Float
    /// What is known of the response's use.
    var responseContext: ResponseContext
    /// Whether the client decides about the server.
    var asksAboutServer = false
    /// What a server that wants a client certificate is shown.
    var identity = HopIdentity.none

    /// Whether the response's cookies are wanted.
    var readsCookies = false

    /// Whether it goes to the origin of the task's first request.
    var isHome = true

    /// Whether names are looked up again: there was no network when that was tried last.
    var looksUpAfresh = false

    /// Whether a delegate wants its metrics.
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

/// What is known of a response's use before it has come.
struct ResponseContext: Sendable {
    /// The method of the request.
    var method = "GET"
    /// The most that its body may have, bytes; `nil`: any number.
    var limit: Int64?
    /// Whether content codings of the body are undone.
    var undoesCodings = false
    /// Whether transfer codings are left as they are, unless a part is asked for.
    var isRaw = false
    /// Whether the client takes a body that is delivered where it lies, without a copy.
    var isTaken = false
    /// Whether a body is split into parts that replace one another.
    var splitsParts = false
    /// The task's first request, where its response is a file that could be continued.
    var continuable: URLRequest?
    /// Whether the body is compared with the digests that the server sends along.
    var checksDigestFields = false
    /// Whether what was continued and has another digest than it should begins again.
    var startsOverOnDigestMismatch = true
    /// Whether a part's resume data has a checksum of its bytes.
    var keepsChecksums = false
    /// What brings parts of the body over further connections, where that may be.
    var split: SplitDownload?
}

/// What a hop shows a server that wants a client certificate, where the session has none for all.
enum HopIdentity: Sendable, Hashable {
    /// Not decided: the hop ends, and says whose certificates are wanted.
    case undecided
    /// Nothing.
    case none
    /// This one.
    case certificate(URLSessionConfiguration.ClientCertificate, keyPassword: Secret?)
}

/// The rate that the hops of one download keep to together.
final class RateGroup: Sendable {
    let pacer: SharedPacer?

    init(_ options: URLSessionConfiguration.TransportOptions) {
        pacer = SharedPacer(bytesPerSecond: options.maximumBytesPerSecond)
    }
}
