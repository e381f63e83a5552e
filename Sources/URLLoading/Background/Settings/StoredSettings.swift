import FoundationEssentials

/// What a session's program has configured, as it is written down for a transfer process: what is
/// not the default, without secrets, and with absolute paths, since that process works in `/`.
///
/// Not in it: what each task's record has (the session's header fields, the time for the whole),
/// and what nobody asks in a transfer process (recorded heads).
struct StoredSettings: Codable, Hashable, Sendable {
    /// Where cookies are.
    enum Cookies: Codable, Hashable, Sendable {
        case shared
        /// With the transfer process, and gone with it.
        case memory
        case file(path: String, isRead: Bool, keepsSessionCookies: Bool)
    }

    /// A value of the proxies' dictionary.
    enum ProxyValue: Codable, Hashable, Sendable {
        case flag(Bool)
        case number(Int)
        case text(String)
        case texts([String])
    }

    /// The idle time-out, microseconds; 0: none; `nil`: the default.
    var idleTimeout: Int64?
    var maximumConnectionsPerHost: Int?
    /// Versions of TLS, by their numbers on the wire.
    var tlsMinimum: UInt16?
    var tlsMaximum: UInt16?
    /// `nil`: there are none.
    var cookies: Cookies?
    var cookiePolicy: UInt?
    var sendsNoCookies: Bool?
    var hasNoCredentialStorage: Bool?
    var hasNoCache: Bool?
    var requestCachePolicy: UInt?
    var proxies: [String: ProxyValue]?
    var transport = StoredTransport()
    var maximumTries: Int?
    var netrcFile: String?
    var hasOneStreamPerConnection: Bool?
    var networkServiceType: UInt?
    var collectsNoMetrics: Bool?
    /// An earlier version asked no delegate, and has not written it down.
    var asksAboutConnections: Bool?
    /// An earlier version asked about none unless it says so here.
    var asksAboutTrustedServers: Bool?
}

extension StoredSettings {
    init(_ settings: SessionSettings) {
        let defaults = SessionSettings(kind: .default)
        if settings.timeoutForRequest != defaults.timeoutForRequest {
            let limit = Duration(timeout: settings.timeoutForRequest)
            idleTimeout = limit.map { Int64($0 / .microseconds(1)) } ?? 0
        }
        if settings.maximumConnectionsPerHost != defaults.maximumConnectionsPerHost {
            maximumConnectionsPerHost = settings.maximumConnectionsPerHost
        }
        tlsMinimum = settings.tlsMinimum?.rawValue
        tlsMaximum = settings.tlsMaximum?.rawValue
        cookies = settings.cookies.storage.map(Cookies.init)
        if settings.cookies.policy != defaults.cookies.policy {
            cookiePolicy = settings.cookies.policy.rawValue
        }
        sendsNoCookies = settings.cookies.areSent ? nil : true
        hasNoCredentialStorage = settings.credentialStorage == nil ? true : nil
        hasNoCache = settings.urlCache == nil ? true : nil
        if settings.requestCachePolicy != defaults.requestCachePolicy {
            requestCachePolicy = settings.requestCachePolicy.rawValue
        }
        proxies = settings.proxyDictionary?.compactMapValues { ProxyValue($0) }
        transport = StoredTransport(settings.transport)
        hasOneStreamPerConnection = settings.multiplexes ? nil : true
        if settings.networkServiceType != .default {
            networkServiceType = settings.networkServiceType.rawValue
        }
        maximumTries = settings.background.maximumTries
        netrcFile = settings.background.netrcFile.map(AbsolutePath.of)
        collectsNoMetrics = settings.transport.collectsMetrics ? nil : true
        asksAboutConnections = settings.background.asksAboutConnections ? true : nil
        asksAboutTrustedServers = settings.background.asksAboutTrustedServers ? true : nil
    }

    /// The settings of a session that does what was written down; `nil` where a member makes no
    /// sense to this build.
    var settings: SessionSettings? {
        var settings = SessionSettings(kind: .default)
        if let idleTimeout { settings.timeoutForRequest = Double(idleTimeout) / 1e6 }
        if let maximumConnectionsPerHost {
            settings.maximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
        }
        settings.tlsMinimum = tlsMinimum.flatMap(TLSProtocolVersion.init)
        settings.tlsMaximum = tlsMaximum.flatMap(TLSProtocolVersion.init)
        settings.cookies.storage = cookies?.storage
        let policy = cookiePolicy.map(HTTPCookie.AcceptPolicy.init)
        let cachePolicy = requestCachePolicy.map(URLRequest.CachePolicy.init)
        guard let transport = transport.options, policy != .some(nil), cachePolicy != .some(nil),
            (settings.tlsMinimum == nil) == (tlsMinimum == nil),
            (settings.tlsMaximum == nil) == (tlsMaximum == nil)
        else { return nil }
        if let policy = policy ?? nil { settings.cookies.policy = policy }
        settings.cookies.areSent = sendsNoCookies != true
        if hasNoCredentialStorage == true { settings.credentialStorage = nil }
        if hasNoCache == true { settings.urlCache = nil }
        settings.multiplexes = hasOneStreamPerConnection != true
        if let type = networkServiceType.flatMap(URLRequest.NetworkServiceType.init) {
            settings.networkServiceType = type
        }
        if let cachePolicy = cachePolicy ?? nil { settings.requestCachePolicy = cachePolicy }
        settings.proxyDictionary = proxies?.mapValues(\.value)
        settings.transport = transport
        settings.transport.collectsMetrics = collectsNoMetrics != true
        settings.background.maximumTries = maximumTries
        settings.background.netrcFile = netrcFile
        settings.background.asksAboutConnections = asksAboutConnections == true
        settings.background.asksAboutTrustedServers = asksAboutTrustedServers == true
        return settings
    }
}

extension StoredSettings.Cookies {
    /// Those that are in memory are not written down: see ``SessionSettings/storingObstacles``.
    init(_ storage: HTTPCookieStorage) {
        switch storage.place {
        case .memory: self = .memory
        case .folder: self = .shared
        case .file(let file, let isRead, let keepsSessionCookies):
            self = .file(
                path: AbsolutePath.of(file.path),
                isRead: isRead,
                keepsSessionCookies: keepsSessionCookies
            )
        }
    }

    var storage: HTTPCookieStorage {
        switch self {
        case .shared: .shared
        case .memory: HTTPCookieStorage()
        case .file(let path, let isRead, let keepsSessionCookies):
            HTTPCookieStorage(
                path: path,
                isRead: isRead,
                keepsSessionCookies: keepsSessionCookies
            )
        }
    }
}

extension StoredSettings.ProxyValue {
    /// `nil` where it is none that a proxies' dictionary could have.
    init?(_ value: any Sendable) {
        switch value {
        case let flag as Bool: self = .flag(flag)
        case let text as String: self = .text(text)
        case let texts as [String]: self = .texts(texts)
        case let integer as any BinaryInteger:
            guard let number = Int(exactly: integer) else { return nil }
            self = .number(number)
        default: return nil
        }
    }

    var value: any Sendable {
        switch self {
        case .flag(let flag): flag
        case .number(let number): number
        case .text(let text): text
        case .texts(let texts): texts
        }
    }
}
