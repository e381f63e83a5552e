package import FoundationEssentials

/// A configuration as a session stores it, constant during the session's life.
package struct SessionSettings: Sendable {
    /// The kind of session, which determines what it stores between tasks and between runs.
    package enum Kind: Sendable, Hashable {
        case `default`
        case ephemeral
        /// Another process carries out the transfers; the value is the session's name.
        case background(String)
    }

    private(set) var kind = Kind.default
    /// The stores that an ephemeral session began with, even if the program has replaced them since.
    private(set) var ephemeralStores: EphemeralStores?
    var additionalHeaders: [String: String]?
    package var timeoutForRequest: TimeInterval = 60
    /// Seven days, as in Foundation.
    package var timeoutForResource: TimeInterval = 7 * 24 * 60 * 60
    /// Whether tasks wait while no network is available.
    package var waitsForConnectivity = false
    package var maximumConnectionsPerHost = 6
    /// Whether requests share an HTTP/2 connection at the same time.
    var multiplexes = true
    var networkServiceType = URLRequest.NetworkServiceType.default
    // The permitted networks have no effect on Linux.
    var allowsCellular = true
    var allowsExpensive = true
    var allowsConstrained = true
    package var tlsMinimum: TLSProtocolVersion?
    package var tlsMaximum: TLSProtocolVersion?
    package var cookies = CookieSettings()
    var credentialStorage: URLCredentialStorage?
    var urlCache: URLCache?
    package var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    var protocolClasses: [URLProtocol.Type] = []
    /// The proxies, by CFNetwork's keys.
    var proxyDictionary: [String: any Sendable]?
    package var transport = URLSessionConfiguration.TransportOptions()
    var background = URLSessionConfiguration.BackgroundOptions()
    /// Whether a background session waits for good conditions.
    var isDiscretionary = false

    /// The defaults, without any store: ``keep(as:)`` adds them.
    package init() {}

    init(kind: Kind) {
        self.init()
        keep(as: kind)
    }

    mutating func keep(as kind: Kind) {
        self.kind = kind
        guard kind == .ephemeral else {
            cookies.storage = .shared
            credentialStorage = .shared
            // The transfers of a background session write to files, which are not cached.
            if case .background = kind { urlCache = nil } else { urlCache = .shared }
            return
        }
        let stores = EphemeralStores()
        ephemeralStores = stores
        cookies.storage = stores.cookies
        credentialStorage = stores.credentials
        urlCache = stores.cache
    }

    var temporaryFolder: String { transport.temporaryFolder ?? TemporaryFolder.path }

    /// The fields of every request that does not set them, unless the session omits them.
    var defaultFields: DefaultFields {
        var fields = Self.ownFields
        for name in transport.omittedDefaultHeaders { fields[name] = nil }
        return DefaultFields(fields)
    }

    private static let ownFields: HTTPHeaderFields = {
        var fields = HTTPHeaderFields()
        fields["User-Agent"] = "URLLoading/\(URLLoadingVersion.text)"
        fields["Accept"] = "*/*"
        return fields
    }()

    /// Adds the session's header fields that the request lacks; credentials only for the first origin.
    func completed(_ request: URLRequest, isFirstOrigin: Bool = true) -> URLRequest {
        guard let additionalHeaders else { return request }
        var completed = request
        for field in HTTPHeaderFields(additionalHeaders).fields
        where completed.headerFields[field.name] == nil {
            if !isFirstOrigin, isSecret(field.name) { continue }
            completed.headerFields[field.name] = field.value
        }
        return completed
    }

    private func isSecret(_ name: String) -> Bool {
        OriginCrossing.isCredential(name, secretHeaders: transport.secretHeaders)
    }
}

extension SessionSettings {
    /// A text that identifies the sessions with which responses may be shared; `nil`: all without such
    /// settings.
    ///
    /// The text contains the settings that select or authenticate a server beyond its URL. One URL may
    /// lead to another server by a Unix socket or a fixed address. A session that verifies servers does
    /// not use a response from an unverified server.
    ///
    /// A request with a secret header has its own responses, and so has each `Host` other than the URL's.
    /// Cookies make no difference unless a response varies by them ([RFC 9111
    /// §4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)).
    func cacheScope(_ request: PreparedRequest, _ proxy: ProxyServer?) -> String? {
        var words: [String] = []
        for name in ["Host"] + transport.secretHeaders {
            for field in request.fields where HTTPHeaderFields.areSame(field.name, name) {
                words.append("\(name.asciiLowercased) \(field.value)")
            }
        }
        let isSecure = request.isSecure
        // A proxy can change any response that is not encrypted.
        if !isSecure, let proxy {
            words.append("proxy \(proxy.scheme) \(proxy.host) \(proxy.port)")
        }
        func add(_ name: String, _ value: (some Any)?) {
            if let value { words.append("\(name) \(value)") }
        }
        add("socket", transport.unixSocketPath)
        add("connect-to", transport.connectTo.joined(separator: " ").nonEmpty)
        add("resolve", transport.resolve.joined(separator: " ").nonEmpty)
        if isSecure {
            let trust = transport.trust
            if !trust.verifiesServer { words.append("unverified") }
            add("authorities", trust.certificateAuthorityFile.map(Self.stamped))
            add("authorities in", trust.certificateAuthorityFolder)
            add("pin", trust.pinnedPublicKey)
            add("revoked", trust.revocationListFile.map(Self.stamped))
            add("ciphers", transport.ciphers)
            add("from", tlsMinimum)
            add("to", tlsMaximum)
        }
        return words.isEmpty ? nil : words.joined(separator: "\n")
    }

    /// A path, with a text that changes with the file's content.
    private static func stamped(_ path: String) -> String {
        "\(path) " + (FileStatus(path).map { "\($0.identity)" } ?? "")
    }
}
