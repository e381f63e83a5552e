package import FoundationEssentials

/// A configuration as a session keeps it: a value that does not change any more.
package struct SessionSettings: Sendable {
    /// What a session may keep between tasks and between runs.
    package enum Kind: Sendable, Hashable {
        case `default`
        case ephemeral
        /// Its transfers are carried out by a process of their own; with the session's name.
        case background(String)
    }

    private(set) var kind = Kind.default
    /// What an ephemeral session began with, whatever the program has put in its place since.
    private(set) var ephemeralStores: EphemeralStores?
    var additionalHeaders: [String: String]?
    package var timeoutForRequest: TimeInterval = 60
    /// Seven days, as Foundation has it.
    package var timeoutForResource: TimeInterval = 7 * 24 * 60 * 60
    /// Whether tasks wait for a network that is not there.
    package var waitsForConnectivity = false
    package var maximumConnectionsPerHost = 6
    /// Whether requests share an HTTP/2 connection at the same time.
    var multiplexes = true
    var networkServiceType = URLRequest.NetworkServiceType.default
    /// What a program has said about networks, which Linux does not distinguish.
    var networkAccess = NetworkAccess()
    package var tlsMinimum: TLSProtocolVersion?
    package var tlsMaximum: TLSProtocolVersion?
    package var cookies = CookieSettings()
    /// Where credentials are looked for, and kept.
    var credentialStorage: URLCredentialStorage?
    /// Where responses are kept; `nil`: nowhere.
    var urlCache: URLCache?
    package var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// What the program brings along to load with.
    var protocolClasses: [URLProtocol.Type] = []
    /// Proxies by CFNetwork's keys.
    var proxyDictionary: [String: any Sendable]?
    package var transport = URLSessionConfiguration.TransportOptions()
    /// What holds for a background session alone.
    var background = URLSessionConfiguration.BackgroundOptions()
    /// Whether a background session waits for a good time.
    var isDiscretionary = false

    /// The defaults, without any store: ``keep(as:)`` adds them.
    package init() {}

    init(kind: Kind) {
        self.init()
        keep(as: kind)
    }

    /// Takes the stores of this kind of session.
    mutating func keep(as kind: Kind) {
        self.kind = kind
        guard kind == .ephemeral else {
            cookies.storage = .shared
            credentialStorage = .shared
            // What the transfers of a background session bring goes into files.
            if case .background = kind { urlCache = nil } else { urlCache = .shared }
            return
        }
        let stores = EphemeralStores()
        ephemeralStores = stores
        cookies.storage = stores.cookies
        credentialStorage = stores.credentials
        urlCache = stores.cache
    }

    /// Where temporary files are.
    var temporaryFolder: String { transport.temporaryFolder ?? TemporaryFolder.path }

    /// The fields that every request has unless it, or the session, says otherwise.
    var defaultFields: HTTPHeaderFields {
        var fields = Self.ownFields
        for name in transport.omittedDefaultHeaders { fields[name] = nil }
        return fields
    }

    private static let ownFields: HTTPHeaderFields = {
        var fields = HTTPHeaderFields()
        fields["User-Agent"] = "URLLoading/\(URLLoadingVersion.text)"
        fields["Accept"] = "*/*"
        return fields
    }()

    /// A request with the session's additional headers, where it has none of its own by the name.
    ///
    /// Those of the credential kind are the first origin's only.
    func completed(_ request: URLRequest, isAtHome: Bool = true) -> URLRequest {
        guard let additionalHeaders else { return request }
        var completed = request
        for field in HTTPHeaderFields(additionalHeaders).fields
        where completed.headerFields[field.name] == nil {
            if !isAtHome, isSecret(field.name) { continue }
            completed.headerFields[field.name] = field.value
        }
        return completed
    }

    private func isSecret(_ name: String) -> Bool {
        OriginCrossing.isCredential(name, secretHeaders: transport.secretHeaders)
    }
}

extension SessionSettings {
    /// With which sessions one may share responses: what it is told of servers beyond their URLs,
    /// in one text.
    ///
    /// `nil`: it shares with all sessions without such settings.
    ///
    /// One URL may lead to another server by a Unix socket or a fixed address. A response of a
    /// server that need not prove its identity is not used for a session that wants the proof.
    ///
    /// A request with a secret header has responses of its own, and so has each `Host` that is not
    /// the URL's. Cookies make no difference unless a response varies by them
    /// ([RFC 9111 §4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)).
    ///
    /// - Parameters:
    ///   - request: the request as it is sent.
    ///   - proxy: what is in its way.
    /// - Returns: the text.
    func cacheScope(_ request: PreparedRequest, _ proxy: ProxyServer?) -> String? {
        var words: [String] = []
        for name in ["Host"] + transport.secretHeaders {
            for field in request.fields where HTTPHeaderFields.areSame(field.name, name) {
                words.append("\(name.asciiLowercased) \(field.value)")
            }
        }
        let isSecure = request.isSecure
        // A proxy has the last word about what is not encrypted.
        if !isSecure, let proxy {
            words.append("proxy \(proxy.scheme) \(proxy.host) \(proxy.port)")
        }
        if let socket = transport.unixSocketPath { words.append("socket \(socket)") }
        if !transport.connectTo.isEmpty {
            words.append("connect-to \(transport.connectTo.joined(separator: " "))")
        }
        if !transport.resolve.isEmpty {
            words.append("resolve \(transport.resolve.joined(separator: " "))")
        }
        if isSecure {
            if !transport.trust.verifiesServer { words.append("unverified") }
            if let file = transport.trust.certificateAuthorityFile {
                words.append("authorities \(file) \(Self.stamp(file))")
            }
            if let folder = transport.trust.certificateAuthorityFolder {
                words.append("authorities in \(folder)")
            }
            if let pin = transport.trust.pinnedPublicKey { words.append("pin \(pin)") }
            if let list = transport.trust.revocationListFile {
                words.append("revoked \(list) \(Self.stamp(list))")
            }
            if let ciphers = transport.ciphers { words.append("ciphers \(ciphers)") }
            if let tlsMinimum { words.append("from \(tlsMinimum)") }
            if let tlsMaximum { words.append("to \(tlsMaximum)") }
        }
        return words.isEmpty ? nil : words.joined(separator: "\n")
    }

    /// What changes with a file's content.
    private static func stamp(_ path: String) -> String {
        FileStatus(path).map { "\($0.identity)" } ?? ""
    }
}
