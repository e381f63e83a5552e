import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

/// The settings that all tasks share: the library's own value, and the command's settings.
struct SessionPlan: Sendable {
    var settings = Self.usual
    /// `nil`: the library's default, or more if a split download needs them.
    var maximumConnectionsPerHost: Int?
    /// The named session; `nil`: only HSTS data outlives the run.
    var named: NamedSession?
    /// Whether nothing is stored on disk.
    var isEphemeral = false
    var cookies = CookiePlan()
    /// In bytes; `nil`: the default; 0: no cache.
    var cacheSize: Int64?
    var schemes = SchemeList.all
    var redirects: RedirectChoice = .follow
    var redirectSchemes = SchemeList.all
    var trustsRedirects = false
    /// Whether files get the server's modification time.
    var keepsServerTime = true
    /// The limit of the buffer for a body that can be read only once, in bytes.
    var spoolLimit: Int64 = 1 << 30
    var retries = RetryPolicy()
    var namesTries = false

    /// The library's defaults, except for the time limit and the cookie policy.
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

    /// The maximum duration of a task; `nil`: no limit.
    var maxTime: Duration? {
        guard settings.timeoutForResource < .infinity else { return nil }
        // Flags have a resolution of one millisecond.
        return .milliseconds(Int64((settings.timeoutForResource * 1_000).rounded()))
    }

    /// The default number of attempts without a file: a health check must not wait for long.
    private static let outputTries = 3
    /// The maximum time in which such a task is retried without new bytes.
    private static let outputTime: Duration = .seconds(10)
    /// The longest Retry-After that is obeyed, unless the command line has a time limit.
    private static let longestAsked: Duration = .seconds(30)
    /// The default time in which an attempt may be slower than `--speed-limit`, as in curl.
    private static let usualSpeedTime: Duration = .seconds(30)

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

    /// Why a scheme is refused; `nil` if it is allowed.
    func refusal(of scheme: String, isRedirect: Bool = false) -> String? {
        if !schemes.allows(scheme) { return "--proto allows only \(schemes.words)" }
        guard isRedirect, !redirectSchemes.allows(scheme) else { return nil }
        return "--proto-redir allows only \(redirectSchemes.words)"
    }

    /// Whether the command line names a state file; then a failure to save it is an error.
    var namesStateFiles: Bool {
        if case .file = transport.strictTransportSecurity { return true }
        return switch cookies.storage {
        case .file, .session: true
        case .none, .memory: false
        }
    }

    /// The proxy of a request, if any; throws if the environment's variable has an invalid URL.
    func proxy(for address: WebAddress) throws(UsageError) -> ProxyServer? {
        guard let url = URL(string: address.text) else { return nil }
        return try mapError(settings.proxy(for: url)) { (error: URLError) in
            UsageError.invalidProxy(error.detail)
        }
    }

    /// Derives values from several flags, and examines the files that they name.
    mutating func complete(_ options: Options) throws(UsageError) {
        cookies = try CookiePlan(options)
        if case .file(let path) = transport.strictTransportSecurity {
            _ = try FileFacts.target(of: path)
            if FileFacts.isSpecial(path) {
                throw .file(path: path, "is not a file that can be replaced")
            }
            try mapError(HSTSStorage.check(fileAt: path)) { (error: PrivateFileError) in
                UsageError.stateFile(path, error)
            }
        }
        try checkTLSFiles(options)
        if !options.certificate.file.isEmpty { transport.clientCertificate = options.certificate }
        settings.requestCachePolicy =
            options.cachePolicy
            ?? (options.reportsRequest
                ? .reloadIgnoringLocalCacheData : .reloadRevalidatingCacheData)
        let usual = max(settings.maximumConnectionsPerHost, transport.maximumStreamsPerDownload)
        settings.maximumConnectionsPerHost = maximumConnectionsPerHost ?? usual
        transport.deliversNonHTTPRedirects = redirects == .none
        transport.contentDecoding = options.contentDecoding ?? .automatic
        // The plan's header contains these fields, unless the user removed them.
        transport.omittedDefaultHeaders = ["User-Agent", "Accept"]
        if case .remove? = options.header("Accept-Encoding") {
            transport.omittedDefaultHeaders.append("Accept-Encoding")
        }
        namesTries = !options.given.isDisjoint(with: ["--tries", "--retry"])
        if !namesTries, maxTime == nil { retries.longestAsked = Self.longestAsked }
        if options.speedLimit != nil || options.speedTime != nil {
            transport.minimumRate = URLSessionConfiguration.MinimumRate(
                bytesPerSecond: options.speedLimit ?? 1,
                time: options.speedTime ?? Self.usualSpeedTime
            )
        }
    }

    private func checkTLSFiles(_ options: Options) throws(UsageError) {
        let files = [
            transport.trust.certificateAuthorityFile, transport.trust.revocationListFile,
            options.certificate.file.isEmpty ? nil : options.certificate.file,
            options.certificate.keyFile, transport.trust.pinnedKeyFile,
        ]
        for file in files.compactMap(\.self) { _ = try FileFacts.readable(file) }
        guard let folder = transport.trust.certificateAuthorityFolder else { return }
        guard let kind = FileFacts.kind(of: folder) else {
            throw .file(path: folder, "\(Errno(rawValue: errno))")
        }
        guard kind == S_IFDIR else { throw .file(path: folder, "is not a directory") }
    }
}

extension Options {
    /// Whether the run measures or shows the response itself, for which a 304 would be wrong.
    fileprivate var reportsRequest: Bool {
        headFlag != nil || responses.includesHead || showsResponseHeaders
            || dumpHeader != nil || writeOut != nil || har != nil || output == .path("/dev/null")
    }
}

extension URLSessionConfiguration.ServerTrust {
    /// The file with the pinned public key; `nil`: hashes, or no pin.
    var pinnedKeyFile: String? {
        pinnedPublicKey.flatMap { $0.startsWithBytes(of: "sha256//") ? nil : $0 }
    }
}

extension URLSessionConfiguration {
    /// The configuration of a session with a plan's settings, without a cookie storage.
    ///
    /// Nor has it a store of credentials, which the command searches itself, after other sources.
    /// There are at least as many connections as `jobs`, unless the command line limits them.
    static func make(
        _ plan: SessionPlan,
        jobs: Int? = nil,
        background: BackgroundIdentifier? = nil
    ) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration(
            plan.settings,
            as: background.map { .background($0.text) }
                ?? (plan.isEphemeral ? .ephemeral : .default)
        )
        configuration.urlCredentialStorage = nil
        if let jobs, plan.maximumConnectionsPerHost == nil {
            configuration.httpMaximumConnectionsPerHost = max(
                configuration.httpMaximumConnectionsPerHost,
                jobs
            )
        }
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
