import CurlMulti

extension TransferRequest {
    /// The part of a request that is the same for all hops of a session; without trusted certificates, of hops
    /// without TLS.
    init(_ settings: borrowing SessionSettings, _ trust: TrustStore?) {
        self.init(url: "")
        keepsDotSegments = settings.transport.keepsDotSegments
        recordsHeads = settings.transport.recordsHeads
        tracesTransfer = settings.transport.tracesTransfers
        var connection = ConnectionOptions(settings.transport)
        connection.multiplexes = settings.multiplexes
        connection.trafficClass = settings.networkServiceType.trafficClass
        // From a chosen interface the routes may differ, so we skip the check for a route.
        connection.needsPath = settings.waitsForConnectivity && connection.interface == nil
        self.connection = connection
        tls = TLSOptions(settings, trust)
    }

    /// Converts a hop to a request of the engine.
    ///
    /// It sets only options that differ from the session's `template`, because each change makes new options.
    /// `tunnels`: whether the session asks HTTP proxies for a tunnel for plain HTTP too.
    init(
        _ hop: borrowing HopRequest,
        _ template: TransferRequest,
        _ header: HeaderLines,
        tunnels: Bool
    ) {
        self = template
        url = hop.request.url
        method = hop.request.method
        self.header = header
        body = Self.body(hop)
        idleTimeout = hop.idleTimeout
        timeLimit = hop.timeLimit
        mayExpectContinue = hop.mayExpectContinue
        readsCookies = hop.readsCookies
        requestTarget = hop.request.ownTarget
        decodesTransferCodings = !hop.responseContext.isRaw || hop.request.has("Range")
        authentication = hop.authentication
        proxyAuthentication = hop.proxyAuthentication
        streamWeight = CurlHop.streamWeight(hop.priority)
        if hop.bypassesDNSCache { connection.bypassesDNSCache = true }
        let isIdempotent = hop.request.isIdempotent
        // Without a body, libcurl may send a POST again over another connection.
        if !hop.bodyIsReplayable || (!isIdempotent && hop.body == nil) {
            connection.mayReuseConnection = false
        }
        // Authentication covers the whole connection, which HTTP/2 would share with other requests.
        if authentication != nil || hop.isAlone, connection.httpVersion != .http10 {
            connection.httpVersion = .http1
        }
        apply(hop.proxy, isTunneled: hop.request.isSecure || tunnels)
        if hop.asksAboutServer { tls.asksAboutServer = true }
        notesRefusals = !isIdempotent
        collectsMetrics = hop.collectsMetrics || recordsHeads
        guard tls.clientCertificate == nil else {
            // The certificate identifies the client only to the origin of the first request.
            if !hop.isFirstOrigin { tls.clientCertificate = nil }
            return
        }
        switch hop.identity {
        case .undecided: tls.reportsWantedCertificate = true
        case .none: break
        case .certificate(let certificate, let password):
            tls.clientCertificate = TLSOptions.ClientCertificate(certificate, password)
        }
    }

    private static func body(_ hop: borrowing HopRequest) -> Body {
        if let body = hop.body {
            return body.contentLength.map(Body.length) ?? .unknownLength
        }
        // These methods always have a body, which may be empty (RFC 9110 §8.6).
        return ["POST", "PUT", "PATCH"].contains(hop.request.method) ? .length(0) : .none
    }
}

/// Makes the header lines of hops, and keeps the last ones: the next hop often has the same fields.
struct HeaderLineMaker {
    private var fields: [HTTPHeaderFields.Field] = []
    private var mayExpect = false
    private var lines: HeaderLines?

    /// The lines of a request; `mayExpect`: whether a large body waits for `100 Continue`.
    mutating func lines(of request: PreparedRequest, mayExpect: Bool) -> HeaderLines {
        if let lines, mayExpect == self.mayExpect, isSame(request.fields) { return lines }
        var lines = request.fields.map { field in
            field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value
        }
        // libcurl adds these fields by default; the caller decides about them. An `Expect` costs a
        // second with a server that does not support it.
        for name in mayExpect ? ["Accept"] : ["Accept", "Expect"] where !request.has(name) {
            lines.append(name + ":")
        }
        let made = HeaderLines(lines)
        (fields, self.mayExpect, self.lines) = (request.fields, mayExpect, made)
        return made
    }

    /// Whether the last fields have the same bytes: texts of other bytes may be equal.
    private func isSame(_ other: [HTTPHeaderFields.Field]) -> Bool {
        fields.isIdentical(to: other)
            || fields.count == other.count
                && zip(fields, other).allSatisfy { own, other in
                    own.name.hasBytes(of: other.name) && own.value.hasBytes(of: other.value)
                }
    }
}

extension ConnectionOptions {
    init(_ options: borrowing URLSessionConfiguration.TransportOptions) {
        self.init()
        httpVersion =
            switch options.httpVersion {
            case .automatic: .automatic
            case .http10: .http10
            case .http1: .http1
            case .http2: .http2
            }
        connectTimeout = options.connectTimeout.flatMap { Duration(timeout: $0) }
        addressFamily = options.addressFamily.number
        interface = options.interface
        resolve = options.resolve
        connectTo = options.connectTo
        unixSocketPath = options.unixSocketPath
        if let least = options.minimumRate {
            let time = min(max(least.time, .seconds(1)), .seconds(1 << 30))
            minimumBytesPerSecond = Int(clamping: least.bytesPerSecond)
            minimumRateSeconds = Int(time.components.seconds)
        }
    }
}

extension TLSOptions {
    init(_ settings: borrowing SessionSettings, _ trust: TrustStore?) {
        self.init()
        minimumVersion = settings.tlsMinimum?.rawValue
        maximumVersion = settings.tlsMaximum?.rawValue
        certificateAuthorityFile = trust?.file
        certificateAuthorityFolder = trust?.folder
        revocationListFile = settings.transport.trust.revocationListFile
        verifiesServer = settings.transport.trust.verifiesServer
        pinnedPublicKey = settings.transport.trust.pinnedPublicKey
        cipherList = settings.transport.ciphers
        // Without a server certificate libcurl cannot check a pin, and skips the check.
        if pinnedPublicKey != nil { cipherList = cipherList.map { $0 + ":!aNULL" } }
        if let certificate = settings.transport.clientCertificate {
            clientCertificate = ClientCertificate(certificate, settings.transport.clientKeySecret)
        }
    }
}

extension TLSOptions.ClientCertificate {
    fileprivate init(
        _ certificate: URLSessionConfiguration.ClientCertificate,
        _ password: Secret?
    ) {
        self.init(
            file: certificate.file,
            format: certificate.format.rawValue,
            keyFile: certificate.keyFile,
            keyPassword: password
        )
    }
}

extension TransferRequest {
    /// Sends a hop through a proxy, and the proxy's credential only to the proxy.
    ///
    /// `isTunneled`: whether the hop asks an HTTP proxy for a tunnel.
    mutating func apply(_ proxy: ProxyServer?, isTunneled: Bool) {
        // The first letter rules out most lines cheaply.
        let isProxys = { (line: String) in
            line.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "p")
                && line.asciiLowercased.startsWithBytes(of: "proxy-authorization:")
        }
        let credential = headerLines.filter(isProxys)
        if !credential.isEmpty { headerLines.removeAll(where: isProxys) }
        guard let proxy else { return }
        guard proxy.scheme.isHTTP else {
            connection.proxy = ConnectionOptions.Proxy(
                url: proxy.url,
                user: proxy.user,
                password: proxy.password
            )
            return
        }
        connection.proxy = ConnectionOptions.Proxy(url: proxy.url)
        connection.proxy?.opensTunnels = isTunneled
        if isTunneled {
            proxyHeaderLines = credential
        } else if !credential.isEmpty {
            headerLines += credential
        }
    }
}
