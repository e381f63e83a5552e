import FoundationEssentials

struct BackgroundSettings: Codable, Hashable, Sendable {
    var identifier: String
    /// A unique name, also in cursors, which a later session of the same identifier does not have.
    var token: String
    /// Whether transfers wait for a good time, and run at a low priority.
    var isDiscretionary = false
    /// Always `false`: versions 1.0 and 1.1 require the member.
    private(set) var impliesDiscretion = false
    /// The most tasks that run at once; `nil`: 16.
    var jobs: Int?
    /// The command for `sh -c` when all tasks are done, or a credential is needed; `nil`: none.
    var command: String?
    var commandFolder: String?
    var commandMask: UInt32?
    /// The session's configuration as JSON (``SessionSettings/stored``), without secrets for which a client
    /// can be asked again.
    var configuration: String?

    private static func makeToken() -> String {
        (0..<2).map { _ in UInt64.random(in: .min ... .max).hexText }.joined()
    }
}

extension BackgroundSettings {
    /// Stores the settings of a session, without its secrets.
    init(_ identifier: BackgroundIdentifier, _ settings: SessionSettings) {
        self.init(
            identifier: identifier.text,
            token: Self.makeToken(),
            isDiscretionary: settings.isDiscretionary,
            jobs: settings.background.jobs,
            command: settings.background.sendsLaunchEvents
                ? settings.background.completionCommand : nil,
            commandFolder: AbsolutePath.workingFolder ?? "/",
            commandMask: 0o666 & ~NewFileMode.current,
            configuration: settings.stored
        )
    }

    /// Adopts the settings of another program or run; the token, and values without a new one, stay.
    mutating func adopt(_ other: BackgroundSettings) {
        isDiscretionary = other.isDiscretionary
        jobs = other.jobs ?? jobs
        if other.command != nil {
            command = other.command
            commandFolder = other.commandFolder
            commandMask = other.commandMask
        }
        configuration = other.configuration
    }

    /// These settings combined with a command's.
    ///
    /// A configuration that differs from the session's applies to the command's tasks only.
    func taking(
        _ other: BackgroundSettings,
        for tasks: inout [BackgroundTaskRecord]
    ) -> BackgroundSettings {
        var (next, other) = (self, other)
        if let own = other.configuration, own != configuration {
            other.configuration = configuration
            for index in tasks.indices { tasks[index].configuration = own }
        }
        next.adopt(other)
        return next
    }
}

// Settings in their stored form, for a transfer process.
extension SessionSettings {
    /// A JSON object of the values that are not defaults, with absolute paths.
    ///
    /// Left out are secrets, values in each task's record (the session's header fields, the total time),
    /// and values that a transfer process does not use (recorded heads).
    var stored: String {
        var settings = self
        settings.transport = transport.absolute
        settings.transport.recordsHeads = false
        settings.transport.tracesTransfers = false
        settings.background.netrcFile = background.netrcFile.map(AbsolutePath.of)
        settings.background.cookieFile = background.cookieFile.map(AbsolutePath.of)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: the settings have only texts, numbers and lists.
        let data = (try? encoder.encode(settings)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Decodes stored settings, for an ordinary session.
    ///
    /// The result is `nil` if this build cannot decode another build's settings: a guess could mean no
    /// proxy, or trust in any server.
    init?(stored: String) {
        guard let settings = try? JSONDecoder().decode(Self.self, from: Data(stored.utf8)) else {
            return nil
        }
        self = settings
    }

    /// The settings that cannot be stored, in words; a session with any is refused.
    var storingBlockers: [String] {
        var blockers: [String] = []
        if case .memory? = cookies.storage?.place, cookies.storage?.cookies?.isEmpty == false {
            blockers.append("cookies that are in this program's memory only")
        }
        if let credentialStorage, credentialStorage !== URLCredentialStorage.shared {
            blockers.append("credentials that are in this program's memory only")
        }
        if transport.clientKeySecret != nil {
            blockers.append("the pass phrase of a client certificate's key, which is not stored")
        }
        if transport.proxyCredential?.password?.isEmpty == false
            || proxyDictionary?[kCFProxyPasswordKey] != nil
        {
            blockers.append("the password for a proxy, which is not stored but in the proxy's URL")
        }
        for (key, value) in (proxyDictionary ?? [:]).sorted(by: { $0.key < $1.key })
        where StoredProxyValue(value) == nil {
            blockers.append("the value of \(key) in the proxies' dictionary")
        }
        return blockers
    }

    /// The error of a session with such settings; `URLProtocol` classes make each task fail instead.
    var storingBlocker: BackgroundError? {
        let words = storingBlockers
        guard !words.isEmpty else { return nil }
        return .refused("a background session cannot have \(words.joined(separator: "; "))")
    }
}

extension SessionSettings: Codable {
    /// The settings that are stored as an empty object.
    private static var unwritten: SessionSettings {
        var settings = SessionSettings(kind: .default)
        settings.cookies.storage = nil
        // An earlier version did not ask a delegate, and has no such members.
        settings.background.asksAboutConnections = false
        settings.background.asksAboutTrustedServers = false
        return settings
    }

    package init(from decoder: any Decoder) throws {
        var members = try MemberCoding(reading: decoder, onto: Self.unwritten)
        try Self.code(&members)
        self = members.value
        maximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = MemberCoding(writing: self, beyond: Self.unwritten, to: encoder)
        try Self.code(&members)
    }

    private static func code(_ members: inout MemberCoding<Self>) throws {
        try members.member("idleTimeout", \.idleMicroseconds)
        try members.member("maximumConnectionsPerHost", \.maximumConnectionsPerHost)
        try members.member("tlsMinimum", \.tlsMinimum)
        try members.member("tlsMaximum", \.tlsMaximum)
        try members.member("cookies", \.cookies.stored)
        try members.member("cookiePolicy", \.cookies.policy)
        try members.member("sendsNoCookies", \.sendsNoCookies)
        try members.member("hasNoCredentialStorage", \.hasNoCredentialStorage)
        try members.member("hasNoCache", \.hasNoCache)
        try members.member("requestCachePolicy", \.requestCachePolicy)
        try members.member("proxies", \.proxies)
        try members.always("transport", \.transport)
        try members.member("maximumTries", \.background.maximumTries)
        try members.member("netrcFile", \.background.netrcFile)
        try members.member("cookieFile", \.background.cookieFile)
        try members.member("hasOneStreamPerConnection", \.hasOneStreamPerConnection)
        try members.member("networkServiceType", \.networkServiceNumber)
        try members.member("asksAboutConnections", \.background.asksAboutConnections)
        try members.member("asksAboutTrustedServers", \.background.asksAboutTrustedServers)
    }

    /// The service type's number; an unknown number becomes the default, because it is only a hint.
    private var networkServiceNumber: UInt {
        get { networkServiceType.rawValue }
        set { networkServiceType = URLRequest.NetworkServiceType(rawValue: newValue) ?? .default }
    }

    /// The idle time-out in microseconds; 0: none.
    private var idleMicroseconds: Int64 {
        get { Duration.microseconds(ofTimeout: timeoutForRequest) }
        set { timeoutForRequest = Double(newValue) / 1e6 }
    }

    private var sendsNoCookies: Bool {
        get { !cookies.areSent }
        set { cookies.areSent = !newValue }
    }

    private var hasNoCredentialStorage: Bool {
        get { credentialStorage == nil }
        set { if newValue { credentialStorage = nil } }
    }

    private var hasNoCache: Bool {
        get { urlCache == nil }
        set { if newValue { urlCache = nil } }
    }

    private var proxies: [String: StoredProxyValue]? {
        get { proxyDictionary?.compactMapValues { StoredProxyValue($0) } }
        set { proxyDictionary = newValue?.mapValues(\.value) }
    }

    private var hasOneStreamPerConnection: Bool {
        get { !multiplexes }
        set { multiplexes = !newValue }
    }
}

private enum StoredCookies: Codable, Hashable {
    case shared
    /// In the transfer process's memory. Cookies in this program's memory are not stored: see
    /// ``SessionSettings/storingBlockers``.
    case memory
    case file(path: String, isRead: Bool, keepsSessionCookies: Bool)
}

extension CookieSettings {
    /// The place of the cookies; `nil`: no cookies.
    fileprivate var stored: StoredCookies? {
        get {
            switch storage?.place {
            case nil: nil
            case .memory: .memory
            case .folder: .shared
            case .file(let file, let isRead, let keepsSessionCookies):
                .file(
                    path: AbsolutePath.of(file.path),
                    isRead: isRead,
                    keepsSessionCookies: keepsSessionCookies
                )
            }
        }
        set {
            storage =
                switch newValue {
                case nil: nil
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
}

private enum StoredProxyValue: Codable, Hashable {
    case flag(Bool)
    case number(Int)
    case text(String)
    case texts([String])

    /// Stores a value; `nil` if a proxies' dictionary cannot have it.
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
