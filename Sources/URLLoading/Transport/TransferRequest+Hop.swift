import CurlMulti

extension TransferRequest {
    /// Converts a hop, under a session's settings, to a request of the engine.
    init(
        _ hop: borrowing HopRequest,
        _ settings: borrowing SessionSettings,
        _ trust: TrustStore?,
        _ pacers: (receive: SharedPacer?, send: SharedPacer?)
    ) {
        self.init(
            url: hop.request.url,
            method: hop.request.method,
            headerLines: Self.headerLines(hop.request, mayExpect: hop.mayExpectContinue),
            body: Self.body(hop)
        )
        idleTimeout = hop.idleTimeout
        timeLimit = hop.timeLimit
        mayExpectContinue = hop.mayExpectContinue
        readsCookies = hop.readsCookies
        requestTarget = hop.request.ownTarget
        keepsDotSegments = settings.transport.keepsDotSegments
        decodesTransferCodings = !hop.responseContext.isRaw || hop.request.has("Range")
        authentication = hop.authentication
        proxyAuthentication = hop.proxyAuthentication
        (receivePacer, sendPacer) = pacers
        streamWeight = CurlHop.streamWeight(hop.priority)
        connection = ConnectionOptions(settings.transport)
        connection.multiplexes = settings.multiplexes
        connection.trafficClass = settings.networkServiceType.trafficClass
        // From a chosen interface the routes may differ, so we skip the check for a route.
        connection.needsPath =
            settings.waitsForConnectivity && connection.interface == nil
        connection.bypassesDNSCache = hop.bypassesDNSCache
        // Without a body, libcurl may send a POST again over another connection.
        connection.mayReuseConnection =
            hop.bodyIsReplayable && (hop.request.isIdempotent || hop.body != nil)
        // Authentication covers the whole connection, which HTTP/2 would share with other requests.
        if authentication != nil || hop.isAlone, connection.httpVersion != .http10 {
            connection.httpVersion = .http1
        }
        apply(
            hop.proxy,
            isTunneled: hop.request.isSecure || settings.transport.tunnelsThroughProxy
        )
        tls = TLSOptions(settings, trust)
        tls.asksAboutServer = hop.asksAboutServer
        notesRefusals = !hop.request.isIdempotent
        recordsHeads = settings.transport.recordsHeads
        tracesTransfer = settings.transport.tracesTransfers
        collectsMetrics = hop.collectsMetrics || recordsHeads
        guard settings.transport.clientCertificate == nil else {
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

    private static func headerLines(_ request: PreparedRequest, mayExpect: Bool) -> [String] {
        var lines = request.fields.map { field in
            field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value
        }
        // libcurl adds these fields by default; the caller decides about them. An `Expect` costs a
        // second with a server that does not support it.
        for name in mayExpect ? ["Accept"] : ["Accept", "Expect"]
        where !request.fields.contains(where: { HTTPHeaderFields.areSame($0.name, name) }) {
            lines.append(name + ":")
        }
        return lines
    }

    private static func body(_ hop: HopRequest) -> Body {
        if let body = hop.body {
            return body.contentLength.map(Body.length) ?? .unknownLength
        }
        // These methods always have a body, which may be empty (RFC 9110 §8.6).
        return ["POST", "PUT", "PATCH"].contains(hop.request.method) ? .length(0) : .none
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
        (minimumVersion, maximumVersion) = (
            settings.tlsMinimum?.rawValue, settings.tlsMaximum?.rawValue
        )
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
    /// - Parameters:
    ///   - proxy: the proxy to use; `nil`: none.
    ///   - isTunneled: whether the hop asks an HTTP proxy for a tunnel.
    mutating func apply(_ proxy: ProxyServer?, isTunneled: Bool) {
        // The first letter rules out most lines cheaply.
        let isProxys = { (line: String) in
            line.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "p")
                && line.asciiLowercased.startsWithBytes(of: "proxy-authorization:")
        }
        let credential = headerLines.filter(isProxys)
        headerLines.removeAll(where: isProxys)
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
        } else {
            headerLines += credential
        }
    }
}
