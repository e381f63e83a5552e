import URLLoading

/// The source and the storage of cookies.
struct CookiePlan: Equatable, Sendable {
    /// Where cookies are stored.
    enum Storage: Equatable, Sendable {
        case none
        /// Cookies are discarded at the end of the run.
        case memory
        case session(NamedSession)
        case file(String, isRead: Bool, keepsSessionCookies: Bool)
    }

    private(set) var storage = Storage.memory
    /// Cookies that are added to the storage.
    private(set) var loaded: [HTTPCookie] = []
    private(set) var loadedFile: String?
    /// Warnings about the loaded file.
    private(set) var warnings: [String] = []
}

extension CookiePlan {
    /// Validates the flags, and reads the file that they name.
    init(_ options: Options) throws(UsageError) {
        guard !options.ignoresCookies else {
            storage = .none
            return
        }
        // If one file is loaded and saved, it is read, and updated with the changes.
        let isOne =
            options.loadedCookies.map { loaded in
                options.savedCookies.map { Self.isSame(loaded, $0) } ?? false
            } ?? false
        if let path = options.savedCookies {
            _ = try FileFacts.target(of: path)
            storage = .file(path, isRead: isOne, keepsSessionCookies: options.keepsSessionCookies)
        } else if let session = options.session.named {
            storage = .session(session)
        }
        guard let path = options.loadedCookies, !isOne || FileFacts.exists(path) else { return }
        let (cookies, warnings) = try Self.read(path)
        loaded = isOne ? [] : cookies
        loadedFile = path
        self.warnings = warnings.map { "\(path): \($0)" }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let place = FilePlace(one) else { return one == other }
        return place == FilePlace(other)
    }

    private static func read(
        _ path: String
    ) throws(UsageError) -> (cookies: [HTTPCookie], warnings: [String]) {
        _ = try FileFacts.readable(path)
        do throws(PrivateFileError) {
            return try HTTPCookieStorage.cookies(inFile: path)
        } catch {
            let words =
                switch error {
                case .unsafe(_, let reason), .failed(_, let reason), .malformed(_, let reason):
                    reason
                case .busy: "is being written by another process"
                }
            throw .file(path: path, .invalid(words))
        }
    }
}

extension URLSessionConfiguration {
    /// Sets a plan's cookie storage; call it for one session only, because it adds the loaded
    /// cookies to the storage.
    func keepCookies(_ plan: CookiePlan) {
        switch plan.storage {
        case .none: httpCookieStorage = nil
        case .memory: httpCookieStorage = HTTPCookieStorage()
        case .session(let session): httpCookieStorage = session.cookieStorage()
        case .file(let path, let isRead, let keepsSessionCookies):
            httpCookieStorage = HTTPCookieStorage(
                path: path,
                isRead: isRead,
                keepsSessionCookies: keepsSessionCookies
            )
        }
        if !plan.loaded.isEmpty { httpCookieStorage?.add(plan.loaded) }
    }
}
