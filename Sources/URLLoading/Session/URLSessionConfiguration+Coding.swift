import FoundationEssentials

// The journals of background sessions contain the formats below; we read those of earlier versions too.
extension URLSessionConfiguration.TransportOptions: Codable {
    /// Reads options; a missing member has its default.
    public init(from decoder: any Decoder) throws {
        var members = try MemberCoding(reading: decoder, onto: Self())
        try Self.code(&members)
        self = members.value
    }

    /// Writes the members that differ from the defaults.
    ///
    /// We do not write the pass phrase of the key and the password of ``proxyCredential``. A password in the
    /// URL of ``proxy`` is part of the URL, which we write.
    public func encode(to encoder: any Encoder) throws {
        var members = MemberCoding(writing: self, beyond: Self(), to: encoder)
        try Self.code(&members)
    }

    private static func code(_ members: inout MemberCoding<Self>) throws {
        try members.member("httpVersion", \.httpVersion)
        try members.member("connectTimeout", \.connectMicroseconds)
        try members.member("addressFamily", \.addressFamily)
        try members.member("interface", \.interface)
        try members.member("resolve", \.resolve)
        try members.member("connectTo", \.connectTo)
        try members.member("unixSocketPath", \.unixSocketPath)
        try members.member("proxy", \.proxy)
        try members.member("noProxy", \.noProxy)
        try members.member("proxyCredential", \.proxyUser)
        try members.member("tunnelsThroughProxy", \.tunnelsThroughProxy)
        try members.member("maximumBytesPerSecond", \.maximumBytesPerSecond)
        try members.member("leastRate", \.minimumRate)
        try members.member("streamLimit", \.maximumStreamsPerDownload)
        try members.member("fileSynchronization", \.fileSynchronization)
        try members.member("maximumBodyBytes", \.maximumBodyBytes)
        try members.member("checksDigestFields", \.checksDigestFields)
        try members.member("trust", \.trust)
        try members.member("strictTransportSecurity", \.strictTransportSecurity)
        try members.member("ciphers", \.ciphers)
        try members.member("clientCertificate", \.clientCertificate)
        try members.member("maximumRedirects", \.maximumRedirects)
        try members.member("acceptsOddRedirects", \.deliversNonHTTPRedirects)
        try members.member("redirectsKeepingPost", \.sortedStatusesKeepingPost)
        try members.member("keepsDotSegments", \.keepsDotSegments)
        try members.member("expectsChallenges", \.expectsChallenges)
        try members.member("ticketUse", \.ticketUse)
        try members.member("addsStoredCookies", \.addsStoredCookies)
        try members.member("secretHeaders", \.secretHeaders)
        try members.member("temporaryFolder", \.temporaryFolder)
        try members.member("contentDecoding", \.contentDecoding)
        try members.member("omittedDefaultHeaders", \.omittedDefaultHeaders)
        try members.member("collectsMetrics", \.collectsMetrics)
        try members.member("recordsHeads", \.recordsHeads)
        try members.member("tracesTransfers", \.tracesTransfers)
    }

    /// The time-out in microseconds; 0: no limit.
    private var connectMicroseconds: Int64? {
        get { connectTimeout.map(Duration.microseconds(ofTimeout:)) }
        set { connectTimeout = newValue.map { Double($0) / 1e6 } }
    }

    /// The user of the credential, without the password.
    private var proxyUser: String? {
        get { proxyCredential?.user }
        set {
            proxyCredential = newValue.map {
                URLCredential(user: $0, password: "", persistence: .forSession)
            }
        }
    }

    /// In ascending order, so that equal options have equal text.
    private var sortedStatusesKeepingPost: [Int] {
        get { redirectsKeepingPost.sorted() }
        set { redirectsKeepingPost = Set(newValue) }
    }
}

extension URLSessionConfiguration.ServerTrust: Codable {
    /// Reads the trusted authorities; a missing member has its default.
    public init(from decoder: any Decoder) throws {
        var members = try MemberCoding(reading: decoder, onto: Self())
        try Self.code(&members)
        self = members.value
    }

    /// Writes the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var members = MemberCoding(writing: self, beyond: Self(), to: encoder)
        try Self.code(&members)
    }

    private static func code(_ members: inout MemberCoding<Self>) throws {
        try members.member("certificateAuthorityFile", \.certificateAuthorityFile)
        try members.member("certificateAuthorityFolder", \.certificateAuthorityFolder)
        try members.member("revocationListFile", \.revocationListFile)
        try members.member("pinnedPublicKey", \.pinnedPublicKey)
        try members.member("verifiesServer", \.verifiesServer)
    }
}

extension URLSessionConfiguration.Proxy: Codable {
    /// Reads a URL; an empty text is ``none``, and `null` is ``automatic``.
    public init(from decoder: any Decoder) throws {
        let url = try String?.init(from: decoder)
        self = if let url { url.isEmpty ? .none : .url(url) } else { .automatic }
    }

    /// Writes the URL; ``none`` is an empty text, and ``automatic`` is `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .automatic: try container.encodeNil()
        case .none: try container.encode("")
        case .url(let url): try container.encode(url)
        }
    }
}

extension URLSessionConfiguration.StrictTransportSecurity: Codable {
    /// Reads a path; an empty text is ``none``, and `null` is ``automatic``.
    public init(from decoder: any Decoder) throws {
        let path = try String?.init(from: decoder)
        self = if let path { path.isEmpty ? .none : .file(path) } else { .automatic }
    }

    /// Writes the file's path; ``none`` is an empty text, and ``automatic`` is `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .automatic: try container.encodeNil()
        case .none: try container.encode("")
        case .file(let path): try container.encode(path)
        }
    }
}

extension Duration {
    /// A time-out of Foundation in microseconds; 0: no limit.
    static func microseconds(ofTimeout seconds: TimeInterval) -> Int64 {
        Duration(timeout: seconds).map { Int64($0 / .microseconds(1)) } ?? 0
    }
}

// The working folder of a transfer process is `/`.
extension URLSessionConfiguration.TransportOptions {
    /// The same options with absolute paths.
    var absolute: Self {
        var options = self
        options.unixSocketPath = unixSocketPath.map(AbsolutePath.of)
        options.trust.certificateAuthorityFile = trust.certificateAuthorityFile.map(AbsolutePath.of)
        options.trust.certificateAuthorityFolder =
            trust.certificateAuthorityFolder.map(AbsolutePath.of)
        options.trust.revocationListFile = trust.revocationListFile.map(AbsolutePath.of)
        options.trust.pinnedPublicKey = trust.pinnedPublicKey.map { key in
            key.startsWithBytes(of: "sha256//") ? key : AbsolutePath.of(key)
        }
        if case .file(let path) = strictTransportSecurity {
            options.strictTransportSecurity = .file(AbsolutePath.of(path))
        }
        options.clientCertificate = clientCertificate?.absolute
        options.temporaryFolder = temporaryFolder.map(AbsolutePath.of)
        return options
    }
}

extension URLSessionConfiguration.ClientCertificate {
    /// The same certificate with absolute paths.
    var absolute: Self {
        Self(file: AbsolutePath.of(file), format: format, keyFile: keyFile.map(AbsolutePath.of))
    }
}
