/// One request and everything about how to carry it out: a single hop, with nothing left to decide.
///
/// Redirects, challenges and retries are new requests, made by the caller that sent this one.
public struct TransferRequest: Sendable {
    /// The absolute URL, percent-encoded, without user and password.
    public var url: String
    /// The request method, as it goes on the wire.
    public var method: String
    /// The header lines as libcurl reads them: `Name: value`, `Name;` for an empty one, `Name:`
    /// for one that libcurl would add and must not.
    public var headerLines: [String]
    /// The header lines for a proxy that is asked for a tunnel.
    public var proxyHeaderLines: [String] = []
    /// What body follows the head.
    public var body: Body
    /// How long the network may stay silent before the transfer is given up; `nil`: for ever.
    public var idleTimeout: Duration?
    /// How long the transfer may take as a whole, without the time it is suspended; `nil`: for ever.
    public var timeLimit: Duration?
    /// The share of an HTTP/2 connection among others, 1 to 256 (RFC 7540 §5.3.2).
    public var streamWeight: Int
    /// How the connection is made.
    public var connection: ConnectionOptions
    /// The rate limit that this transfer shares with others; `nil`: its connection's own.
    public var receivePacer: SharedPacer?
    /// What TLS must be.
    public var tls: TLSOptions
    /// Whether a large body may wait, a second at most, for the server to ask for it
    /// (`Expect: 100-continue`, [RFC 9110 §10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
    ///
    /// libcurl asks over HTTP/1.1, for bodies above 1 MiB and of unknown length.
    public var mayExpectContinue = false
    /// Whether libcurl reads the response's cookies: see ``ResponseHead/cookies``.
    ///
    /// It sends none.
    public var readsCookies = false
    /// What is on the request line in the place of the URL's path and query; `nil`: these.
    ///
    /// Visible ASCII alone: libcurl writes it as it is.
    public var requestTarget: String?
    /// Whether `/./` and `/../` stay in the URL's path.
    public var keepsDotSegments = false
    /// Whether transfer codings are undone, chunks among them; else they are a part of the body.
    public var undoesTransferCodings = true
    /// How libcurl authenticates to the server; `nil`: not at all.
    public var authentication: ConnectionAuthentication?
    /// How libcurl authenticates to the proxy; `nil`: not at all.
    public var proxyAuthentication: ConnectionAuthentication?

    /// Whether the caller wants metrics: ``TransferOutcome/metrics`` is complete then.
    public var collectsMetrics = false
    /// Whether ``TransferHandler/rewindBody(to:wasRefused:)`` is to be told of streams that HTTP/2
    /// servers have refused.
    public var notesRefusals = false
    /// Whether heads are kept byte for byte as they go and come; only with ``collectsMetrics``.
    public var recordsHeads = false
    /// Whether ``TransferHandler/didTrace(_:)`` is called.
    public var tracesTransfer = false

    /// What follows the head.
    public enum Body: Sendable, Hashable {
        /// No body, and no header that speaks of one.
        case none
        /// A body of just so many bytes.
        case length(Int64)
        /// A body that ends when it ends: chunked in HTTP/1.1, framed in HTTP/2.
        case unknownLength
    }

    /// The URL up to its path, with the socket in place of its host: what connections are
    /// counted for.
    var origin: String {
        var url = url
        let (end, isLowercase) = url.withUTF8 { Self.originEnd($0) }
        var name = String(Substring(url.utf8.prefix(end)))
        if !isLowercase { name = name.lowercased() }
        if let socket = connection.unixSocketPath { name = socket + name }
        // Connections of their own are counted apart from those that are shared.
        if !connection.mayReuseConnection { name += " fresh" }
        switch connection.httpVersion {
        case .http1: name += " 1.1"
        case .http10: name += " 1.0"
        case .automatic, .http2: break
        }
        return name
    }

    /// Where a URL's path begins, or its scheme's own port before that, and whether all before is
    /// plain and in lower case.
    private static func originEnd(
        _ url: UnsafeBufferPointer<UInt8>
    ) -> (end: Int, isLowercase: Bool) {
        let scheme = url.firstIndex(of: UInt8(ascii: ":")) ?? 0
        var end = min(scheme + 3, url.count)
        while end < url.count, !isOriginEnd(url[end]) { end += 1 }
        let isLowercase = url[..<end].allSatisfy { !(0x41...0x5A).contains($0) && $0 < 0x80 }
        // `http` and `https` are distinguished by their lengths.
        let port: StaticString = scheme == 4 ? ":80" : ":443"
        let length = port.utf8CodeUnitCount
        let before = end - length
        if before > scheme,
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(url)[before..<end])
                .begins(with: port)
        {
            end = before
        }
        return (end, isLowercase)
    }

    private static func isOriginEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether the server is spoken to with TLS.
    var isSecure: Bool {
        url.utf8.prefix(6).elementsEqual("https:".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    /// The URL's host, without brackets.
    var host: String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
        let rest = bytes[colon...].dropFirst(3)
        if rest.first == UInt8(ascii: "[") {
            return String(Substring(rest.dropFirst().prefix { $0 != UInt8(ascii: "]") }))
        }
        let host = rest.prefix { byte in
            byte != UInt8(ascii: ":") && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?")
                && byte != UInt8(ascii: "#")
        }
        return String(Substring(host))
    }

    /// Whether the host's name has letters beyond ASCII, percent-encoded or not.
    var hasInternationalHost: Bool {
        // Of most URLs all is plain.
        let isPlain = url.utf8.withContiguousStorageIfAvailable { bytes in
            !bytes.contains(where: Self.isInternational)
        }
        return isPlain != true && url.utf8.contains(where: Self.isInternational)
            && origin.utf8.contains(where: Self.isInternational) && !origin.contains("[")
    }

    private static func isInternational(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte >= 0x80
    }

    /// Whether a connection to the origin may turn out to take many requests at once.
    var mayMultiplex: Bool {
        switch connection.httpVersion {
        case .http10, .http1: false
        case .automatic, .http2:
            connection.multiplexes && connection.mayReuseConnection && isSecure
        }
    }

    /// Whether HTTP/2 may come to be spoken, on whichever connection.
    var maySpeakHTTP2: Bool {
        switch connection.httpVersion {
        case .http10, .http1: false
        case .automatic: isSecure
        case .http2: true
        }
    }

    /// A request for a URL with libcurl's defaults.
    public init(
        url: String,
        method: String = "GET",
        headerLines: [String] = [],
        body: Body = .none
    ) {
        self.url = url
        self.method = method
        self.headerLines = headerLines
        self.body = body
        idleTimeout = nil
        timeLimit = nil
        streamWeight = 16
        connection = ConnectionOptions()
        tls = TLSOptions()
    }
}
