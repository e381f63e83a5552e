import URLLoading

extension SessionPlan {
    /// The longest wait that a server may ask for where nothing says how long a task may take.
    private static let longestAsked: Duration = .seconds(30)
    /// For how long a try may be slower than `--speed-limit`, as with curl.
    private static let usualSpeedTime: Duration = .seconds(30)

    /// Takes the settings over, and looks at the files they name.
    init(_ options: Options) throws(FileFailure) {
        idleTimeout = options.idleTimeout
        connectTimeout = options.connectTimeout
        maxTime = options.maxTime
        waitsForConnectivity = options.waitsForConnectivity
        httpVersion =
            options.http10Only
            ? .http10Only : options.http1Only ? .http1Only : options.http2 ? .http2 : .automatic
        addressFamily = options.ipv4Only ? .ipv4 : options.ipv6Only ? .ipv6 : .any
        resolve = options.resolve
        connectTo = options.connectTo
        schemes = options.schemes
        unixSocket = options.unixSocket
        interface = options.interface
        limitRate = options.limitRate
        maximumConnectionsPerHost = options.maximumConnectionsPerHost
        split = options.split
        session = options.session
        isEphemeral = options.isEphemeral
        cookies = try CookiePlan(options)
        strictTransport = options.strictTransport
        if case .file(let path) = strictTransport {
            _ = try FileFacts.target(of: path)
            if case .other? = try? FileFacts(path: path).kind {
                throw FileFailure(path: path, reason: .flawed("is no file that can be replaced"))
            }
        }
        cache = CachePlan(options)
        tls = try TLSPlan(options)
        proxy = ProxyPlan(options)
        tunnelsThroughProxy = options.tunnelsThroughProxy
        redirects = options.redirects
        maxRedirects = options.maxRedirects
        redirectsKeepingPost = options.redirectsKeepingPost
        keepsDotSegments = options.keepsDotSegments
        redirectSchemes = options.redirectSchemes
        trustsRedirects = options.trustsRedirects
        keepsServerTime = options.keepsServerTime
        secretHeaders = options.secretHeaders
        spoolLimit = options.spoolLimit
        contentDecoding =
            options.isRaw
            ? .raw
            : options.compressed
                ? .always : options.compression == .some(.none) ? .never : .automatic
        let edit = options.headers.last { HTTPHeaderFields.areSame($0.name, "Accept-Encoding") }
        omitsAcceptEncoding = if case .remove? = edit { true } else { false }
        checksDigests = !options.ignoresDigests
        namesTries = !options.given.isDisjoint(with: ["--tries", "--retry"])
        var retries = options.retries
        if !namesTries, maxTime == nil { retries.longestAsked = Self.longestAsked }
        self.retries = retries
        leastRate =
            if options.speedLimit != nil || options.speedTime != nil {
                URLSessionConfiguration.LeastRate(
                    bytesPerSecond: options.speedLimit ?? 1,
                    time: options.speedTime ?? Self.usualSpeedTime
                )
            } else {
                nil
            }
    }
}

extension TLSPlan {
    /// Takes the settings over, and sees that the files can be read.
    fileprivate init(_ options: Options) throws(FileFailure) {
        let pinFile: String? =
            if case .file(let path) = options.pinnedPublicKey { path } else { nil }
        let files = [
            options.caCertificate, options.crlFile, options.certificate, options.privateKey,
            pinFile,
        ]
        for file in files.compactMap({ $0 }) { _ = try FileFacts.readable(file) }
        if let directory = options.caDirectory {
            guard try FileFacts.required(directory).kind == .directory else {
                throw FileFailure(path: directory, reason: .isNoDirectory)
            }
        }
        min = options.tlsMin
        max = options.tlsMax
        caCertificate = options.caCertificate
        caDirectory = options.caDirectory
        crlFile = options.crlFile
        certificate = options.certificate
        privateKey = options.privateKey
        certificateType = options.certificateType ?? .pem
        ciphers = options.ciphers
        pinnedPublicKey = options.pinnedPublicKey
        verifiesServer = options.verifiesServer
    }
}

extension ProxyPlan {
    fileprivate init(_ options: Options) {
        if options.ignoresProxies {
            self = .none
        } else if let proxy = options.proxy {
            self = .proxy(proxy, exceptions: options.proxyExceptions)
        } else {
            self = .environment(exceptions: options.proxyExceptions)
        }
    }
}
