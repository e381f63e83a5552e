package import HTTPSemantics

/// One request and all options for its execution: a single hop, which leaves no decision to the loop.
///
/// For a redirect, a challenge or a retry, the caller sends a new request.
package struct TransferRequest: Sendable {
    /// The absolute URL, percent-encoded, without user and password.
    package var url: String
    /// The request method, as libcurl sends it.
    package var method: String
    /// The header lines in libcurl's form.
    ///
    /// `Name: value`, `Name;` for an empty field, and `Name:` for a field that libcurl must not add.
    package var headerLines: [String] {
        get { header.lines }
        set { header = HeaderLines(newValue) }
    }
    /// The header lines with their list, which requests with the same lines share.
    package var header: HeaderLines
    /// The header lines for a proxy that libcurl asks for a tunnel.
    package var proxyHeaderLines: [String] = []
    package var body: Body
    /// The longest silence of the network before the loop ends the transfer; `nil`: no limit.
    package var idleTimeout: Duration?
    /// The limit for the whole transfer without its suspensions; `nil`: no limit.
    package var timeLimit: Duration?
    /// The weight of the transfer on its HTTP/2 connection, 1 to 256 (RFC 7540 §5.3.2).
    package var streamWeight = 16
    package var connection: ConnectionOptions {
        get { options.connection }
        set { options = Options(connection: newValue, tls: options.tls) }
    }
    /// The limit of receiving, which transfers may share; `nil`: none.
    package var receivePacer: SharedPacer?
    /// The limit of sending, which transfers may share; `nil`: none.
    package var sendPacer: SharedPacer?
    package var tls: TLSOptions {
        get { options.tls }
        set { options = Options(connection: options.connection, tls: newValue) }
    }
    private var options = Options.usual
    /// Whether a large body may wait, one second at most, until the server asks for it.
    ///
    /// See `Expect: 100-continue` ([RFC 9110
    /// §10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)). libcurl sends it over
    /// HTTP/1.1, for bodies above 1 MiB and of unknown length.
    package var mayExpectContinue = false
    /// Whether libcurl reads the response's cookies: see ``ResponseHead/cookies``.
    ///
    /// libcurl sends no cookies by itself.
    package var readsCookies = false
    /// The target that replaces the URL's path and query on the request line; `nil`: path and query.
    ///
    /// It must be visible ASCII: libcurl sends it unchanged.
    package var requestTarget: String?
    /// Whether libcurl keeps `/./` and `/../` in the URL's path.
    package var keepsDotSegments = false
    /// Whether libcurl decodes transfer codings, chunks among them; otherwise they remain in the body.
    package var decodesTransferCodings = true
    /// The method that libcurl uses to authenticate to the server; `nil`: none.
    package var authentication: ConnectionAuthentication?
    /// The method that libcurl uses to authenticate to the proxy; `nil`: none.
    package var proxyAuthentication: ConnectionAuthentication?

    /// Whether the caller wants metrics; only then ``TransferOutcome/metrics`` is set.
    package var collectsMetrics = false
    /// Whether the loop passes refusals of streams by HTTP/2 servers to the handler.
    ///
    /// It passes them to ``TransferHandler/rewindBody(to:wasRefused:)``.
    package var notesRefusals = false
    /// Whether the loop keeps all sent and received heads byte for byte; only with ``collectsMetrics``.
    package var recordsHeads = false
    /// Whether the loop calls ``TransferHandler/didTrace(_:_:)``.
    package var tracesTransfer = false

    /// The options for connection and TLS, which are large and seldom differ: the copies of a request share
    /// them.
    private final class Options: Sendable {
        static let usual = Options(connection: ConnectionOptions(), tls: TLSOptions())

        let connection: ConnectionOptions
        let tls: TLSOptions

        init(connection: ConnectionOptions, tls: TLSOptions) {
            (self.connection, self.tls) = (connection, tls)
        }
    }

    package enum Body: Sendable, Hashable {
        /// No body, and no header field that describes one.
        case none
        /// A body of this number of bytes.
        case length(Int64)
        /// A body without a known length: chunked in HTTP/1.1, framed in HTTP/2.
        case unknownLength
    }

    /// The URL up to its path, with the Unix socket instead of its host; the gate counts connections per
    /// origin.
    var origin: String {
        var url = url
        let (end, isLowercase) = url.withUTF8 { Self.originEnd($0) }
        var name = String(Substring(url.utf8.prefix(end)))
        if !isLowercase { name = name.lowercased() }
        if let socket = connection.unixSocketPath { name = socket + name }
        // The gate counts connections of one transfer separately from shared ones.
        if !connection.mayReuseConnection { name += " fresh" }
        switch connection.httpVersion {
        case .http1: name += " 1.1"
        case .http10: name += " 1.0"
        case .automatic, .http2: break
        }
        return name
    }

    /// The end of a URL's origin, without the scheme's own port, and whether it is ASCII in lower case.
    private static func originEnd(
        _ url: UnsafeBufferPointer<UInt8>
    ) -> (end: Int, isLowercase: Bool) {
        let scheme = url.firstIndex(of: UInt8(ascii: ":")) ?? 0
        var end = min(scheme + 3, url.count)
        while end < url.count, !isOriginEnd(url[end]) { end += 1 }
        let isLowercase = url[..<end].allSatisfy { !(0x41...0x5A).contains($0) && $0 < 0x80 }
        // The lengths distinguish `http` and `https`.
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

    /// Whether the URL's scheme demands TLS.
    var isSecure: Bool {
        url.utf8.begins(with: "https:")
    }

    /// The URL's host, without brackets.
    var host: String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
        let rest = bytes[colon...].dropFirst(3)
        if rest.first == UInt8(ascii: "[") {
            return String(Substring(rest.dropFirst().prefix { $0 != UInt8(ascii: "]") }))
        }
        let host = rest.prefix { $0 != UInt8(ascii: ":") && !Self.isOriginEnd($0) }
        return String(Substring(host))
    }

    /// Whether the host's name has letters beyond ASCII, percent-encoded or not.
    var hasInternationalHost: Bool {
        // Most URLs have no such letter anywhere.
        let isPlain = url.utf8.withContiguousStorageIfAvailable { bytes in
            !bytes.contains(where: Self.isInternational)
        }
        return isPlain != true && url.utf8.contains(where: Self.isInternational)
            && origin.utf8.contains(where: Self.isInternational) && !origin.contains("[")
    }

    private static func isInternational(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte >= 0x80
    }

    /// Whether a connection to the origin may turn out to carry many requests at a time.
    var mayMultiplex: Bool {
        connection.multiplexes && connection.mayReuseConnection && isSecure && maySpeakHTTP2
    }

    /// Whether the transfer may use HTTP/2, on any connection.
    var maySpeakHTTP2: Bool {
        switch connection.httpVersion {
        case .http10, .http1: false
        case .automatic: isSecure
        case .http2: true
        }
    }

    /// Makes a request for a URL with libcurl's defaults.
    package init(
        url: String,
        method: String = "GET",
        headerLines: [String] = [],
        body: Body = .none
    ) {
        self.url = url
        self.method = method
        header = headerLines.isEmpty ? .empty : HeaderLines(headerLines)
        self.body = body
    }
}
