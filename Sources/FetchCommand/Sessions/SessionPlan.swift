import FoundationEssentials
import URLLoading

/// The settings that all tasks share: the library's own value, into which flags write, and what is the
/// command's alone.
struct SessionPlan: Sendable {
    /// What the library is told.
    var settings = Self.usual
    /// Nil: what the tasks want.
    var maximumConnectionsPerHost: Int?
    /// What outlives the run besides HSTS, and from which run to which; nil: nothing.
    var named: NamedSession?
    /// Whether nothing is kept.
    var isEphemeral = false
    var cookies = CookiePlan()
    /// Bytes; nil is the usual, 0 is no cache.
    var cacheSize: Int64?
    /// The schemes that a URL may have.
    var schemes = SchemeList.all
    var redirects: RedirectChoice = .follow
    /// Where redirects may lead, of what may be asked for.
    var redirectSchemes = SchemeList.all
    /// Whether credentials go where redirects lead.
    var trustsRedirects = false
    /// Whether files have the server's time.
    var keepsServerTime = true
    /// What is kept of a body that can be read once, bytes.
    var spoolLimit: Int64 = 1 << 30
    /// What is tried again, and when.
    var retries = RetryPolicy()
    /// Whether the command line says how often a task is tried.
    var namesTries = false

    /// The library's, but for the times and cookies that the command has other defaults for.
    private static var usual: SessionSettings {
        var settings = SessionSettings()
        settings.timeoutForResource = .infinity
        settings.cookies.policy = .always
        return settings
    }

    var transport: URLSessionConfiguration.TransportOptions {
        get { settings.transport }
        _modify { yield &settings.transport }
    }

    /// The longest that a task may last; nil is no limit.
    var maxTime: Duration? {
        guard settings.timeoutForResource < .infinity else { return nil }
        // Flags have whole milliseconds.
        return .milliseconds(Int64((settings.timeoutForResource * 1_000).rounded()))
    }
}

extension SessionPlan {
    /// The tries of what goes to no file, unless the command line names a number: behind a pipe there
    /// may be a health check, which has no time.
    private static let outputTries = 3
    /// The longest that such a task goes on trying without anything new.
    private static let outputTime: Duration = .seconds(10)
    /// The longest wait that a server may ask for where nothing says how long a task may take.
    private static let longestAsked: Duration = .seconds(30)
    /// For how long a try may be slower than `--speed-limit`, as with curl.
    private static let usualSpeedTime: Duration = .seconds(30)

    /// What of a task is tried again, and when.
    func retries(of task: TaskPlan) -> RetryPolicy {
        guard !namesTries else { return retries }
        switch task.kind.destination {
        case .file, .automatic: return retries
        case .standardOutput, .device:
            var policy = retries
            policy.tries = Self.outputTries
            policy.timeLimit = policy.timeLimit ?? .sinceAdvance(Self.outputTime)
            return policy
        }
    }

    /// Why a scheme is not asked for; `nil` where it is.
    func refusal(of scheme: String, isRedirect: Bool = false) -> String? {
        if !schemes.allows(scheme) { return "--proto allows \(schemes.words) alone" }
        guard isRedirect, !redirectSchemes.allows(scheme) else { return nil }
        return "--proto-redir allows \(redirectSchemes.words) alone"
    }

    /// Whether a file was named that outlives the run: not to have it is a failure.
    var namesStateFiles: Bool {
        if case .file = transport.strictTransportSecurity { return true }
        return switch cookies.storage {
        case .file, .session: true
        case .none, .memory: false
        }
    }

    /// The proxy that a request goes through; `nil`: none.
    ///
    /// Throws where a variable that would say so holds no proxy's URL.
    func proxy(for address: WebAddress) throws(UsageError) -> ProxyServer? {
        guard let url = URL(string: address.text) else { return nil }
        do throws(URLError) {
            return try settings.proxy(for: url)
        } catch {
            throw .invalidProxy(error.detail)
        }
    }
}

extension SessionPlan {
    /// Adds what follows from several flags together, and looks at the files that they name.
    mutating func complete(_ options: Options) throws(FileFailure) {
        cookies = try CookiePlan(options)
        if case .file(let path) = transport.strictTransportSecurity {
            _ = try FileFacts.target(of: path)
            if case .other? = try? FileFacts(path: path).kind {
                throw FileFailure(
                    path: path,
                    reason: .invalid("is not a file that can be replaced")
                )
            }
        }
        try checkTLSFiles(options)
        if !options.certificate.file.isEmpty { transport.clientCertificate = options.certificate }
        settings.requestCachePolicy =
            options.cachePolicy
            ?? (options.reportsRequest
                ? .reloadIgnoringLocalCacheData : .reloadRevalidatingCacheData)
        if let most = maximumConnectionsPerHost ?? streamsAboveUsual {
            settings.maximumConnectionsPerHost = most
        }
        transport.acceptsOddRedirects = redirects == .none
        transport.contentDecoding = options.contentDecoding ?? .automatic
        // The plan's header has them, or they were taken out of it.
        transport.omittedDefaultHeaders = ["User-Agent", "Accept"]
        let edit = options.headers.last { HTTPHeaderFields.areSame($0.name, "Accept-Encoding") }
        if case .remove? = edit { transport.omittedDefaultHeaders.append("Accept-Encoding") }
        namesTries = !options.given.isDisjoint(with: ["--tries", "--retry"])
        if !namesTries, maxTime == nil { retries.longestAsked = Self.longestAsked }
        if options.speedLimit != nil || options.speedTime != nil {
            transport.leastRate = URLSessionConfiguration.LeastRate(
                bytesPerSecond: options.speedLimit ?? 1,
                time: options.speedTime ?? Self.usualSpeedTime
            )
        }
    }

    /// The streams of one download, where they are more than connections usually are.
    private var streamsAboveUsual: Int? {
        let streams = transport.maximumStreamsPerDownload
        return streams > settings.maximumConnectionsPerHost ? streams : nil
    }

    private func checkTLSFiles(_ options: Options) throws(FileFailure) {
        let files = [
            transport.trust.certificateAuthorityFile, transport.trust.revocationListFile,
            options.certificate.file.isEmpty ? nil : options.certificate.file,
            options.certificate.keyFile, transport.trust.pinnedKeyFile,
        ]
        for file in files.compactMap(\.self) { _ = try FileFacts.readable(file) }
        guard let folder = transport.trust.certificateAuthorityFolder else { return }
        guard try FileFacts.required(folder).kind == .directory else {
            throw FileFailure(path: folder, reason: .isNoDirectory)
        }
    }
}

extension Options {
    /// Whether the run is about the request itself: a 304 would give its time and its bytes in the
    /// place of the response's.
    fileprivate var reportsRequest: Bool {
        head || method == .head || dumpHeader != nil || writeOut != nil || har != nil
            || output == .path("/dev/null")
    }
}

extension URLSessionConfiguration.ServerTrust {
    /// The file with the public key that is demanded; `nil`: hashes, or none.
    var pinnedKeyFile: String? {
        pinnedPublicKey.flatMap { $0.startsWithBytes(of: "sha256//") ? nil : $0 }
    }
}

extension URLSessionConfiguration {
    /// The configuration of a session with a plan's settings.
    ///
    /// - Parameters:
    ///   - plan: the settings.
    ///   - background: the name of a background session; `nil`: it is another.
    /// - Returns: the configuration, without cookies.
    static func make(
        _ plan: SessionPlan,
        background: BackgroundIdentifier? = nil
    ) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration(
            plan.settings,
            as: background.map { .background($0.text) }
                ?? (plan.isEphemeral ? .ephemeral : .default)
        )
        if let named = plan.named { configuration.urlCache = named.cache() }
        guard let size = plan.cacheSize else { return configuration }
        if size == 0 {
            configuration.urlCache = nil
        } else if let cache = configuration.urlCache, cache.diskCapacity > 0 {
            cache.diskCapacity = Int(clamping: size)
        } else {
            configuration.urlCache?.memoryCapacity = Int(clamping: size)
        }
        return configuration
    }
}
