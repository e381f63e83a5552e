public import FoundationEssentials
import Synchronization

/// How the tasks of a session are carried out, as Foundation's `URLSessionConfiguration`.
///
/// A session copies it, so later changes do not affect the session. Any thread may use it.
public final class URLSessionConfiguration: Sendable {
    let locked: Mutex<SessionSettings>

    init(_ settings: SessionSettings) {
        locked = Mutex(settings)
    }

    /// A configuration with these properties, and the stores of this kind of session.
    package convenience init(_ settings: SessionSettings, as kind: SessionSettings.Kind) {
        var settings = settings
        settings.keep(as: kind)
        self.init(settings)
    }

    /// The current properties.
    var settings: SessionSettings {
        get { locked.withLock { $0 } }
        set { locked.withLock { $0 = newValue } }
    }

    /// A configuration with the same properties, independent of this one.
    public func copy() -> URLSessionConfiguration {
        URLSessionConfiguration(settings)
    }

    /// The name of this program's stores: shared cache, cookies, HSTS hosts, permanent credentials and
    /// background sessions.
    ///
    /// Programs with the same name share their stores. The name is any text of 1 to 1,024 bytes, such as
    /// `com.example.downloader`; the library ignores other texts. Set it before you create the first
    /// session. Default: the executable's file name. Not in Foundation, where the bundle identifier
    /// distinguishes programs.
    public static var programIdentifier: String {
        get { UserFolders.program }
        set {
            if let name = try? BackgroundIdentifier(newValue).folderName {
                UserFolders.program = name
            }
        }
    }

    /// A new configuration for sessions that may store state on the disk.
    public static var `default`: URLSessionConfiguration {
        URLSessionConfiguration(SessionSettings(kind: .default))
    }

    /// A new configuration for sessions that store all state in memory, until their end.
    public static var ephemeral: URLSessionConfiguration {
        URLSessionConfiguration(SessionSettings(kind: .ephemeral))
    }

    /// A new configuration for sessions whose transfers continue without the program.
    ///
    /// A separate process carries out the transfers, see ``TransferProcess``. A session with the identifier
    /// of an earlier one, in this run or another, continues that session. It has the earlier tasks, and its
    /// delegate receives the events of the time between.
    ///
    /// - Parameter identifier: the session's name, 1 to 1,024 bytes.
    /// - Returns: a new configuration.
    public class func background(
        withIdentifier identifier: String
    ) -> URLSessionConfiguration {
        URLSessionConfiguration(SessionSettings(kind: .background(identifier)))
    }

    /// The name of a background session; `nil` for any other.
    public var identifier: String? {
        if case .background(let identifier) = settings.kind { identifier } else { nil }
    }

    /// Header fields for every request that does not set them.
    ///
    /// A task sends credential fields only to the origin of its first request.
    public var httpAdditionalHeaders: [String: String]? {
        get { locked.withLock { $0.additionalHeaders } }
        set { locked.withLock { $0.additionalHeaders = newValue } }
    }

    /// The longest silence of the network, in seconds; 0, less, or infinity: no limit.
    ///
    /// The clock starts with the request, and restarts with every byte in either direction. It does not run
    /// while a task is suspended, or waits for its delegate or its own body. Default: 60.
    public var timeoutIntervalForRequest: TimeInterval {
        get { locked.withLock { $0.timeoutForRequest } }
        set { locked.withLock { $0.timeoutForRequest = newValue } }
    }

    /// The time limit of a whole task, in seconds; 0, less, or infinity: no limit.
    ///
    /// The clock does not run while a task is suspended. Default: seven days.
    public var timeoutIntervalForResource: TimeInterval {
        get { locked.withLock { $0.timeoutForResource } }
        set { locked.withLock { $0.timeoutForResource = newValue } }
    }

    /// The most open connections to one host.
    ///
    /// Further tasks wait, or share a connection over HTTP/2. Default: 6.
    public var httpMaximumConnectionsPerHost: Int {
        get { locked.withLock { $0.maximumConnectionsPerHost } }
        set { locked.withLock { $0.maximumConnectionsPerHost = max(1, newValue) } }
    }

    /// The oldest permitted version of TLS; `nil`: OpenSSL's minimum.
    public var tlsMinimumSupportedProtocolVersion: TLSProtocolVersion? {
        get { locked.withLock { $0.tlsMinimum } }
        set { locked.withLock { $0.tlsMinimum = newValue } }
    }

    /// The newest permitted version of TLS; `nil`: the newest available.
    public var tlsMaximumSupportedProtocolVersion: TLSProtocolVersion? {
        get { locked.withLock { $0.tlsMaximum } }
        set { locked.withLock { $0.tlsMaximum = newValue } }
    }

    /// The storage that supplies credentials for challenges, and stores accepted ones as their
    /// persistence says; `nil`: none.
    ///
    /// Default: ``URLCredentialStorage/shared``; for an ephemeral session, its own storage in memory.
    public var urlCredentialStorage: URLCredentialStorage? {
        get { locked.withLock { $0.credentialStorage } }
        set { locked.withLock { $0.credentialStorage = newValue } }
    }
}

extension URLSessionConfiguration {
    /// The cache in which data tasks look for responses and store them; `nil`: none.
    ///
    /// Default: ``URLCache/shared``; for an ephemeral session, its own cache in memory, of 32 MiB.
    public var urlCache: URLCache? {
        get { locked.withLock { $0.urlCache } }
        set { locked.withLock { $0.urlCache = newValue } }
    }

    /// Whether responses may come from the cache.
    ///
    /// A request may only be stricter. `useProtocolCachePolicy`, the default, leaves the choice to the
    /// request. Of two other policies the stricter one applies, in this order: `returnCacheDataElseLoad`,
    /// `reloadRevalidatingCacheData`, `reloadIgnoringLocalCacheData`,
    /// `reloadIgnoringLocalAndRemoteCacheData`. If either policy is `returnCacheDataDontLoad`, the task does
    /// not use the network.
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { locked.withLock { $0.requestCachePolicy } }
        set { locked.withLock { $0.requestCachePolicy = newValue } }
    }
}

extension URLCache {
    /// A cache for one session, released with the session.
    static var inMemory: URLCache { URLCache(memoryCapacity: 32 << 20, diskCapacity: 0) }
}

extension URLSessionConfiguration {
    /// The proxies of this session, by CFNetwork's keys; empty: none; `nil`: the environment's.
    ///
    /// The keys are the constants that begin with `kCFNetworkProxies`, and ``kCFProxyUsernameKey``,
    /// ``kCFProxyPasswordKey``, ``kCFStreamPropertySOCKSVersion``. With any other key, a value of
    /// another type, or automatic configuration every task fails with `badURL`.
    /// ``TransportOptions/proxy`` has precedence if it is set.
    ///
    /// The dictionary has Swift values: `Bool` or an integer where CFNetwork has a number.
    public var connectionProxyDictionary: [String: any Sendable]? {
        get { locked.withLock { $0.proxyDictionary } }
        set { locked.withLock { $0.proxyDictionary = newValue } }
    }
}

extension SessionSettings {
    /// The proxy that a session with these settings would use for a URL; `nil`: none.
    package func proxy(for url: URL) throws(URLError) -> ProxyServer? {
        guard let origin = Origin(url) else { return nil }
        return try ProxyRules(self).server(for: origin)
    }
}

/// The versions of TLS, by their numbers on the wire; Foundation's `tls_protocol_version_t`.
public enum TLSProtocolVersion: UInt16, Codable, Sendable, Hashable, CaseIterable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.0 (RFC 2246); most servers and OpenSSL's own defaults refuse it.
    case TLSv10 = 0x0301
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.1 (RFC 4346); most servers and OpenSSL's own defaults refuse it.
    case TLSv11 = 0x0302
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2 (RFC 5246).
    case TLSv12 = 0x0303
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.3 (RFC 8446).
    case TLSv13 = 0x0304
}
