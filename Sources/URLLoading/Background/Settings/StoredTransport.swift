import FoundationEssentials

/// The transport options of a session as they are written down: a member for each of theirs, by its
/// name, `nil` where it is the default.
struct StoredTransport: Codable, Hashable, Sendable {
    struct Trust: Codable, Hashable, Sendable {
        var certificateAuthorityFile: String?
        var certificateAuthorityFolder: String?
        var revocationListFile: String?
        var pinnedPublicKey: String?
        var verifiesServer: Bool?
    }

    struct Tickets: Codable, Hashable, Sendable {
        var includesOwnRealm: Bool
        var hosts: [String]
    }

    struct Certificate: Codable, Hashable, Sendable {
        var file: String
        var format: String
        var keyFile: String?
    }

    var httpVersion: String?
    /// Microseconds; 0: none.
    var connectTimeout: Int64?
    var addressFamily: String?
    var interface: String?
    var resolve: [String]?
    var connectTo: [String]?
    var unixSocketPath: String?
    /// A URL; empty: none; `nil`: as the environment of the transfer process says.
    var proxy: String?
    var noProxy: String?
    /// The user, without the password.
    var proxyCredential: String?
    var tunnelsThroughProxy: Bool?
    var maximumBytesPerSecond: Int64?
    var streamLimit: Int?
    var maximumBodyBytes: Int64?
    var checksDigestFields: Bool?
    var trust: Trust?
    /// A file; empty: nowhere; `nil`: the usual one.
    var strictTransportSecurity: String?
    var ciphers: String?
    var clientCertificate: Certificate?
    var maximumRedirects: Int?
    var acceptsOddRedirects: Bool?
    var redirectsKeepingPost: [Int]?
    var keepsDotSegments: Bool?
    var expectsChallenges: Bool?
    var ticketUse: Tickets?
    var secretHeaders: [String]?
    var temporaryFolder: String?
    var contentDecoding: String?
    var omittedDefaultHeaders: [String]?
    var addsStoredCookies: Bool?
}

extension StoredTransport {
    typealias Options = URLSessionConfiguration.TransportOptions

    init(_ options: Options) {
        let defaults = Options()
        httpVersion = Self.word(options.httpVersion, in: Self.versions)
        connectTimeout = options.connectTimeout.map { timeout in
            Duration(timeout: timeout).map { Int64($0 / .microseconds(1)) } ?? 0
        }
        addressFamily = Self.word(options.addressFamily, in: Self.families)
        interface = options.interface
        resolve = options.resolve.isEmpty ? nil : options.resolve
        connectTo = options.connectTo.isEmpty ? nil : options.connectTo
        unixSocketPath = options.unixSocketPath.map(AbsolutePath.of)
        proxy =
            switch options.proxy {
            case .automatic: nil
            case .none: ""
            case .url(let url): url
            }
        noProxy = options.noProxy
        proxyCredential = options.proxyCredential?.user
        tunnelsThroughProxy = options.tunnelsThroughProxy ? true : nil
        if options.maximumBytesPerSecond != defaults.maximumBytesPerSecond {
            maximumBytesPerSecond = options.maximumBytesPerSecond
        }
        if options.maximumStreamsPerDownload != defaults.maximumStreamsPerDownload {
            streamLimit = options.maximumStreamsPerDownload
        }
        maximumBodyBytes = options.maximumBodyBytes
        checksDigestFields = options.checksDigestFields ? nil : false
        trust = options.trust == defaults.trust ? nil : Trust(options.trust)
        strictTransportSecurity =
            switch options.strictTransportSecurity {
            case .automatic: nil
            case .none: ""
            case .file(let path): AbsolutePath.of(path)
            }
        ciphers = options.ciphers
        clientCertificate = options.clientCertificate.map(Certificate.init)
        if options.maximumRedirects != defaults.maximumRedirects {
            maximumRedirects = options.maximumRedirects
        }
        acceptsOddRedirects = options.acceptsOddRedirects ? true : nil
        addsStoredCookies = options.addsStoredCookies ? true : nil
        if !options.redirectsKeepingPost.isEmpty {
            redirectsKeepingPost = options.redirectsKeepingPost.sorted()
        }
        keepsDotSegments = options.keepsDotSegments ? true : nil
        expectsChallenges = options.expectsChallenges ? true : nil
        if options.ticketUse != defaults.ticketUse {
            let use = options.ticketUse
            ticketUse = Tickets(includesOwnRealm: use.includesOwnRealm, hosts: use.hosts)
        }
        secretHeaders = options.secretHeaders.isEmpty ? nil : options.secretHeaders
        temporaryFolder = options.temporaryFolder.map(AbsolutePath.of)
        contentDecoding = Self.word(options.contentDecoding, in: Self.decodings)
        if !options.omittedDefaultHeaders.isEmpty {
            omittedDefaultHeaders = options.omittedDefaultHeaders
        }
    }

    /// The options; `nil` where a member makes no sense to this build.
    var options: Options? {
        var options = Options()
        guard let version = Self.value(httpVersion, in: Self.versions, .automatic),
            let family = Self.value(addressFamily, in: Self.families, .any),
            let decoding = Self.value(contentDecoding, in: Self.decodings, .automatic)
        else { return nil }
        options.httpVersion = version
        options.addressFamily = family
        options.contentDecoding = decoding
        options.connectTimeout = connectTimeout.map { Double($0) / 1e6 }
        options.interface = interface
        options.resolve = resolve ?? []
        options.connectTo = connectTo ?? []
        options.unixSocketPath = unixSocketPath
        options.proxy = proxy.map { $0.isEmpty ? .none : .url($0) } ?? .automatic
        options.noProxy = noProxy
        options.proxyCredential = proxyCredential.map {
            URLCredential(user: $0, password: "", persistence: .forSession)
        }
        options.tunnelsThroughProxy = tunnelsThroughProxy ?? false
        options.maximumBytesPerSecond = maximumBytesPerSecond ?? options.maximumBytesPerSecond
        options.maximumStreamsPerDownload = streamLimit ?? options.maximumStreamsPerDownload
        options.maximumBodyBytes = maximumBodyBytes
        options.checksDigestFields = checksDigestFields ?? options.checksDigestFields
        if let trust { options.trust = trust.trust }
        options.strictTransportSecurity =
            strictTransportSecurity.map { $0.isEmpty ? .none : .file($0) } ?? .automatic
        options.ciphers = ciphers
        if let clientCertificate {
            guard let certificate = clientCertificate.certificate else { return nil }
            options.clientCertificate = certificate
        }
        options.maximumRedirects = maximumRedirects ?? options.maximumRedirects
        options.acceptsOddRedirects = acceptsOddRedirects ?? options.acceptsOddRedirects
        options.addsStoredCookies = addsStoredCookies ?? options.addsStoredCookies
        options.redirectsKeepingPost = Set(redirectsKeepingPost ?? [])
        options.keepsDotSegments = keepsDotSegments ?? false
        options.expectsChallenges = expectsChallenges ?? options.expectsChallenges
        if let ticketUse {
            options.ticketUse.includesOwnRealm = ticketUse.includesOwnRealm
            options.ticketUse.hosts = ticketUse.hosts
        }
        options.secretHeaders = secretHeaders ?? []
        options.temporaryFolder = temporaryFolder
        options.omittedDefaultHeaders = omittedDefaultHeaders ?? []
        return options
    }

    private static let versions: [String: URLSessionConfiguration.HTTPVersion] = [
        "1.0": .http10, "1.1": .http1, "2": .http2,
    ]
    private static let families: [String: URLSessionConfiguration.AddressFamily] = [
        "ipv4": .ipv4, "ipv6": .ipv6,
    ]
    private static let decodings: [String: URLSessionConfiguration.ContentDecoding] = [
        "always": .always, "never": .never, "raw": .raw,
    ]

    private static func word<Value: Equatable>(
        _ value: Value,
        in words: [String: Value]
    ) -> String? {
        words.first { $0.value == value }?.key
    }

    private static func value<Value>(
        _ word: String?,
        in words: [String: Value],
        _ usual: Value
    ) -> Value? {
        guard let word else { return usual }
        return words[word]
    }
}

extension StoredTransport.Trust {
    init(_ trust: URLSessionConfiguration.ServerTrust) {
        certificateAuthorityFile = trust.certificateAuthorityFile.map(AbsolutePath.of)
        certificateAuthorityFolder = trust.certificateAuthorityFolder.map(AbsolutePath.of)
        revocationListFile = trust.revocationListFile.map(AbsolutePath.of)
        pinnedPublicKey = trust.pinnedPublicKey.map { key in
            key.startsWithBytes(of: "sha256//") ? key : AbsolutePath.of(key)
        }
        verifiesServer = trust.verifiesServer ? nil : false
    }

    var trust: URLSessionConfiguration.ServerTrust {
        var trust = URLSessionConfiguration.ServerTrust()
        trust.certificateAuthorityFile = certificateAuthorityFile
        trust.certificateAuthorityFolder = certificateAuthorityFolder
        trust.revocationListFile = revocationListFile
        trust.pinnedPublicKey = pinnedPublicKey
        trust.verifiesServer = verifiesServer ?? true
        return trust
    }
}

extension StoredTransport.Certificate {
    init(_ certificate: URLSessionConfiguration.ClientCertificate) {
        file = AbsolutePath.of(certificate.file)
        format = certificate.format.rawValue
        keyFile = certificate.keyFile.map(AbsolutePath.of)
    }

    var certificate: URLSessionConfiguration.ClientCertificate? {
        URLSessionConfiguration.ClientCertificate.Format(rawValue: format).map { format in
            URLSessionConfiguration.ClientCertificate(
                file: file,
                format: format,
                keyFile: keyFile
            )
        }
    }
}
