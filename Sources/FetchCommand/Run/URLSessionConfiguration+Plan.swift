import FoundationEssentials
import URLLoading

extension URLSessionConfiguration {
    /// The configuration that a plan's session settings make.
    ///
    /// - Parameters:
    ///   - plan: the settings.
    ///   - kind: what they are added to; `nil`: what the plan says.
    /// - Returns: the configuration.
    static func make(
        _ plan: SessionPlan,
        _ kind: URLSessionConfiguration? = nil
    ) -> URLSessionConfiguration {
        let configuration = kind ?? (plan.isEphemeral ? .ephemeral : .default)
        configuration.timeoutIntervalForRequest = plan.idleTimeout.map(\.seconds) ?? .infinity
        configuration.timeoutIntervalForResource = plan.maxTime.map(\.seconds) ?? .infinity
        configuration.waitsForConnectivity = plan.waitsForConnectivity
        configuration.tlsMinimumSupportedProtocolVersion = plan.tls.min.map(TLSProtocolVersion.init)
        configuration.tlsMaximumSupportedProtocolVersion = plan.tls.max.map(TLSProtocolVersion.init)
        if let most = plan.maximumConnectionsPerHost {
            configuration.httpMaximumConnectionsPerHost = most
        } else if plan.split > configuration.httpMaximumConnectionsPerHost {
            configuration.httpMaximumConnectionsPerHost = plan.split
        }
        configuration.transport = TransportOptions(plan)
        if let session = plan.session { configuration.urlCache = session.cache() }
        plan.cache.apply(to: configuration)
        return configuration
    }
}

extension URLSessionConfiguration.TransportOptions {
    fileprivate init(_ plan: SessionPlan) {
        self.init()
        httpVersion =
            switch plan.httpVersion {
            case .automatic: .automatic
            case .http10Only: .http10
            case .http1Only: .http1
            case .http2: .http2
            }
        connectTimeout = plan.connectTimeout?.seconds
        addressFamily =
            switch plan.addressFamily {
            case .any: .any
            case .ipv4: .ipv4
            case .ipv6: .ipv6
            }
        interface = plan.interface
        resolve = plan.resolve.map(\.text)
        connectTo = plan.connectTo.map(\.text)
        unixSocketPath = plan.unixSocket
        (proxy, noProxy) = plan.proxy.choice
        proxyCredential = plan.proxyUser.map { pair in
            URLCredential(user: pair.user, password: pair.password ?? "", persistence: .forSession)
        }
        tunnelsThroughProxy = plan.tunnelsThroughProxy
        maximumBytesPerSecond = plan.limitRate ?? 0
        leastRate = plan.leastRate
        maximumStreamsPerDownload = plan.split
        trust = URLSessionConfiguration.ServerTrust(plan.tls)
        strictTransportSecurity =
            switch plan.strictTransport {
            case .usual: .automatic
            case .file(let path): .file(path)
            case .none: .none
            }
        ciphers = plan.tls.ciphers
        clientCertificate = plan.tls.certificate.map { file in
            URLSessionConfiguration.ClientCertificate(
                file: file,
                format: plan.tls.certificateType.format,
                keyFile: plan.tls.privateKey
            )
        }
        clientKeyPassword = plan.keyPassword?.text
        maximumRedirects = plan.maxRedirects
        acceptsOddRedirects = plan.redirects == .none
        addsStoredCookies = plan.cookies.sendsOwn
        redirectsKeepingPost = plan.redirectsKeepingPost
        keepsDotSegments = plan.keepsDotSegments
        ticketUse = plan.ticketUse
        secretHeaders = plan.secretHeaders
        // The plan's header has them, or they were taken out of it.
        omittedDefaultHeaders = ["User-Agent", "Accept"]
        contentDecoding = plan.contentDecoding
        checksDigestFields = plan.checksDigests
        if plan.omitsAcceptEncoding { omittedDefaultHeaders.append("Accept-Encoding") }
    }
}

extension URLSessionConfiguration.ServerTrust {
    fileprivate init(_ plan: TLSPlan) {
        self.init()
        certificateAuthorityFile = plan.caCertificate
        certificateAuthorityFolder = plan.caDirectory
        revocationListFile = plan.crlFile
        pinnedPublicKey = plan.pinnedPublicKey?.text
        verifiesServer = plan.verifiesServer
    }
}

extension ProxyPlan {
    /// The proxy and the hosts that do without; `nil`: as the environment says.
    fileprivate var choice: (URLSessionConfiguration.Proxy, noProxy: String?) {
        switch self {
        case .none: (.none, nil)
        case .environment(let exceptions): (.automatic, Self.list(exceptions))
        case .proxy(let proxy, let exceptions):
            (.url(proxy.urlWithCredential), Self.list(exceptions))
        }
    }

    private static func list(_ hosts: [String]) -> String? {
        hosts.isEmpty ? nil : hosts.joined(separator: ",")
    }
}

extension ProxyServer {
    /// As the library takes it; never for printing.
    fileprivate var urlWithCredential: String {
        guard let user else { return url }
        let pair = [user, password?.text].compactMap { $0 }.map(PercentCoding.encodeSegment)
        let words = "://\(pair.joined(separator: ":"))@"
        return url.replacing("://", with: words, maxReplacements: 1)
    }
}

extension ResolveEntry {
    /// libcurl's notation.
    fileprivate var text: String {
        let bracketed = addresses.map { $0.utf8.contains(UInt8(ascii: ":")) ? "[\($0)]" : $0 }
        return "\(host):\(port):\(bracketed.joined(separator: ","))"
    }
}

extension CertificateType {
    fileprivate var format: URLSessionConfiguration.ClientCertificate.Format {
        switch self {
        case .pem: .pem
        case .der: .der
        case .p12: .pkcs12
        }
    }
}

extension TLSProtocolVersion {
    fileprivate init(_ version: TLSVersion) {
        self =
            switch version {
            case .v10: .TLSv10
            case .v11: .TLSv11
            case .v12: .TLSv12
            case .v13: .TLSv13
            }
    }
}

extension Duration {
    /// Seconds, as Foundation counts them.
    fileprivate var seconds: TimeInterval { self / .seconds(1) }
}
