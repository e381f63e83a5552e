public import FoundationEssentials
import Synchronization

// Storage that outlives the process. Not in Foundation, except for `shared`.
extension HTTPCookieStorage {
    /// A storage in a Netscape cookie file, which curl, wget and browsers' tools read.
    ///
    /// The file is read when something is first asked for. It is written a second after a change,
    /// when a session that uses it ends, and by ``flush()``: as a whole, with what other processes
    /// have changed meanwhile. A missing file is created, for this user alone.
    ///
    /// - Parameters:
    ///   - file: its URL.
    ///   - keepsSessionCookies: whether those are written that would end with the session.
    public convenience init(file: URL, keepsSessionCookies: Bool = false) {
        self.init(path: file.path, isRead: true, keepsSessionCookies: keepsSessionCookies)
    }

    /// - Parameters:
    ///   - path: the file's.
    ///   - isRead: whether its cookies are used; otherwise they only stay in it.
    ///   - keepsSessionCookies: whether those are written that would end with the session.
    package convenience init(path: String, isRead: Bool, keepsSessionCookies: Bool) {
        guard let file = SharedFile(path, owner: .user) else {
            self.init(.memory)
            state.withLock { $0.storageError = "\(path) is not a file name" }
            return
        }
        self.init(.file(file, isRead: isRead, keepsSessionCookies: keepsSessionCookies))
    }

    /// Adds the cookies of a Netscape cookie file.
    ///
    /// Lines that cannot be used are ignored, cookies for all hosts of a public suffix among them.
    ///
    /// - Parameter file: its URL.
    /// - Throws: `cannotOpenFile` where it cannot be read, `cannotDecodeRawData` where nothing in it
    ///   is of such a file.
    public func addCookies(from file: URL) throws(URLError) {
        do throws(PrivateFileError) {
            add(try Self.cookies(inFile: file.path).cookies)
        } catch {
            let code: URLError.Code =
                if case .garbled = error { .cannotDecodeRawData } else { .cannotOpenFile }
            throw URLError(code, detail: "\(error)", failingURL: file)
        }
    }

    /// Adds cookies, of servers and of the program.
    package func add(_ cookies: [HTTPCookie]) {
        change { state in
            for cookie in cookies { Self.set(cookie, &state, .now) }
        }
    }

    /// The cookies of a Netscape cookie file, and what is said of the lines that were ignored.
    package static func cookies(
        inFile path: String
    ) throws(PrivateFileError) -> (cookies: [HTTPCookie], warnings: [String]) {
        guard let data = try NamedFile(path).read() else {
            throw .failed(path: path, reason: "No such file or directory")
        }
        let content = CookieFile.read(data)
        if let reason = content.foreignness { throw .garbled(path: path, reason: reason) }
        return (content.cookies, content.warnings)
    }

    /// Writes the changes, if there are any; returns when they are written, or cannot be.
    public func flush() {
        PendingWrites.flush(self)
    }

    /// Why cookies cannot be stored, once for each reason; `nil`: they are stored.
    package func takeStorageError() -> String? {
        state.withLock { state in
            defer { state.storageError = nil }
            return state.storageError
        }
    }

    /// Reads the state, after the file.
    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        prepare()
        return state.withLock { body(&$0) }
    }

    /// Changes the state, and schedules a write.
    func change(_ body: (inout State) -> Void) {
        prepare()
        let mustWrite = state.withLock { state in
            body(&state)
            if case .memory = place { state.changes = StateChanges() }
            return !state.changes.isEmpty
        }
        if mustWrite { PendingWrites.note(self) }
    }

    /// Whether the next use waits for the disk.
    var mustRead: Bool { !state.withLock { $0.isRead } }

    /// Reads the file, once; the lock of what is there is not held meanwhile.
    ///
    /// May wait for the disk.
    func prepare() {
        guard !state.withLock({ $0.isRead }) else { return }
        reading.withLock { _ in
            guard !state.withLock({ $0.isRead }) else { return }
            let (cookies, storageError) = load()
            let now = Date.now
            state.withLock { state in
                for cookie in cookies {
                    _ = state.jar.set(cookie, created: .distantPast, now)
                }
                if let storageError { state.storageError = storageError }
                state.isRead = true
            }
        }
    }

    private func load() -> (cookies: [HTTPCookie], storageError: String?) {
        if case .file(_, isRead: false, _) = place { return ([], nil) }
        guard let file else { return ([], nil) }
        do throws(PrivateFileError) {
            return (try file.read().map { CookieFile.read($0).cookies } ?? [], nil)
        } catch {
            return ([], "\(error)")
        }
    }

    private var file: SharedFile? {
        switch place {
        case .memory: nil
        case .folder(let folder):
            folder().flatMap { SharedFile("\($0)/cookies.txt", owner: .library) }
        case .file(let file, _, _): file
        }
    }
}

extension HTTPCookieStorage: StateWriter {
    func writeChanges() {
        let changes = state.withLock { state in
            defer { state.changes = StateChanges() }
            return state.changes
        }
        guard let file else {
            let isLasting = changes.keys.contains { key in
                changes.change(of: key).flatMap { $0 }?.isSessionOnly == false
            }
            if isLasting { note(storageError: "neither XDG_STATE_HOME nor HOME names a folder") }
            return
        }
        let keepsSessionCookies =
            if case .file(_, _, let keeps) = place { keeps } else { false }
        // Changes that are not written need no file.
        let isWorthIt = changes.keys.contains { key in
            guard case .some(.some(let cookie)) = changes.change(of: key) else { return false }
            return keepsSessionCookies || !cookie.isSessionOnly
        }
        guard isWorthIt || isThere(file) else { return }
        do throws(PrivateFileError) {
            try file.change { data throws(PrivateFileError) in
                try CookieFile.merged(
                    data,
                    path: file.path,
                    changes,
                    .now,
                    keepsSessionCookies: keepsSessionCookies
                )
            }
        } catch {
            note(storageError: "\(error)")
            // After the file is repaired they are written with the next change.
            state.withLock { $0.changes.putBack(changes) }
        }
    }

    private func isThere(_ file: SharedFile) -> Bool {
        (try? file.read()) != nil
    }

    private func note(storageError: String) {
        state.withLock { $0.storageError = storageError }
    }
}
