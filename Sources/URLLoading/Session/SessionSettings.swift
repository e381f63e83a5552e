package import FoundationEssentials

/// A configuration as a session keeps it: a value that nobody can change any more.
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
    /// What a program has said about networks, which Linux does not tell apart.
    var networkAccess = NetworkAccess()
    package var tlsMinimum: TLSProtocolVersion?
    package var tlsMaximum: TLSProtocolVersion?
    package var cookies = CookieSettings()
    /// Where credentials are looked for, and kept.
    var credentialStorage: URLCredentialStorage?
    /// Where answers are kept; `nil`: nowhere.
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
        var completed = request
        for field in HTTPHeaderFields(additionalHeaders ?? [:]).fields
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
