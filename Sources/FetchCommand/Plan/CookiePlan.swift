import URLLoading

/// Where cookies come from, and where they go.
struct CookiePlan: Equatable, Sendable {
    /// What they are kept in.
    enum Storage: Equatable, Sendable {
        case none
        /// They end with the run.
        case memory
        case session(NamedSession)
        case file(String, isRead: Bool, keepsSessionCookies: Bool)
    }

    let storage: Storage
    /// What it begins with, beyond what is in it.
    let loaded: [HTTPCookie]
    /// What is said of the file that it begins with.
    var warnings: [String] = []
    let policy: CookiePolicyChoice
    /// Whether those of `--cookie` go with the first requests, beside these.
    let sendsOwn: Bool
}

extension CookiePlan {
    /// Takes the flags over, and reads the file that they name.
    init(_ options: Options) throws(FileFailure) {
        policy = options.cookiePolicy
        sendsOwn = options.cookie != nil
        guard !options.ignoresCookies else {
            storage = .none
            loaded = []
            return
        }
        // One file for both is read, and changed by what is new.
        let isOne =
            options.loadedCookies.map { loaded in
                options.savedCookies.map { Self.isSame(loaded, $0) } ?? false
            } ?? false
        if let path = options.savedCookies {
            _ = try FileFacts.target(of: path)
            storage = .file(
                path,
                isRead: isOne,
                keepsSessionCookies: options.keepsSessionCookies
            )
        } else {
            storage = options.session.map(Storage.session) ?? .memory
        }
        guard let path = options.loadedCookies, !isOne || FileFacts.exists(path) else {
            loaded = []
            return
        }
        let (cookies, warnings) = try Self.read(path)
        loaded = isOne ? [] : cookies
        self.warnings = warnings.map { "\(path): \($0)" }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let place = FilePlace(one) else { return one == other }
        return place == FilePlace(other)
    }

    private static func read(
        _ path: String
    ) throws(FileFailure) -> (cookies: [HTTPCookie], warnings: [String]) {
        _ = try FileFacts.readable(path)
        do throws(PrivateFileError) {
            return try HTTPCookieStorage.cookies(inFile: path)
        } catch {
            let words =
                switch error {
                case .unsafe(_, let reason), .failed(_, let reason), .garbled(_, let reason): reason
                case .busy: "is being written by another process"
                }
            throw FileFailure(path: path, reason: .flawed(words))
        }
    }
}
