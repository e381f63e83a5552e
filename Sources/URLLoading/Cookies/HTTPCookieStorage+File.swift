public import FoundationEssentials
import Glibc
import Synchronization

// Storage that outlives the process. Not in Foundation, except for `shared`.
extension HTTPCookieStorage {
    /// A storage in a Netscape cookie file, which curl, wget and browsers' tools read.
    ///
    /// The storage reads the file on the first access. It writes the whole file a second after a change, at
    /// the end of a session that uses the storage, and by ``flush()``. Each write includes the changes of
    /// other processes. The storage creates a missing file, readable only by this user.
    ///
    /// - Parameters:
    ///   - file: the file's URL.
    ///   - keepsSessionCookies: whether the file receives session cookies.
    public convenience init(file: URL, keepsSessionCookies: Bool = false) {
        self.init(path: file.path, isRead: true, keepsSessionCookies: keepsSessionCookies)
    }

    /// - Parameters:
    ///   - path: the file's path.
    ///   - isRead: whether the storage uses the file's cookies; if not, it only preserves them.
    ///   - keepsSessionCookies: whether the file receives session cookies.
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
    /// It ignores invalid lines, and cookies for all hosts of a public suffix.
    ///
    /// - Parameter file: the file's URL.
    /// - Throws: `cannotOpenFile` if the file is unreadable, `cannotDecodeRawData` if it is not a cookie
    ///   file.
    public func addCookies(from file: URL) throws(URLError) {
        do throws(PrivateFileError) {
            add(try Self.cookies(inFile: file.path).cookies)
        } catch {
            let code: URLError.Code =
                if case .malformed = error { .cannotDecodeRawData } else { .cannotOpenFile }
            throw URLError(code, detail: "\(error)", failingURL: file)
        }
    }

    /// Adds cookies of servers or of the program.
    package func add(_ cookies: [HTTPCookie]) {
        change { Self.set(cookies, &$0, .now) }
    }

    /// The cookies of a Netscape cookie file, and warnings about ignored lines.
    package static func cookies(
        inFile path: String
    ) throws(PrivateFileError) -> (cookies: [HTTPCookie], warnings: [String]) {
        guard let data = try NamedFile(path).read() else {
            throw .failed(path: path, reason: "No such file or directory")
        }
        let content = CookieFile.read(data)
        if let reason = content.formatError { throw .malformed(path: path, reason: reason) }
        return (content.cookies, content.warnings)
    }

    /// Writes the changes, if any; returns after the write has succeeded or failed.
    public func flush() {
        PendingWrites.flush(self, retries: true)
    }

    /// Makes the next ``flush()`` create a missing file even without a cookie.
    ///
    /// A later command can then read the file, whatever the server has sent.
    package func requireFile() {
        guard case .file(let file, _, _) = place, access(file.path, F_OK) != 0 else { return }
        state.withLock { $0.needsFile = true }
        PendingWrites.note(self)
    }

    /// The reason why the storage cannot store cookies, once for each reason; `nil`: no error.
    package func takeStorageError() -> String? {
        state.withLock { state in
            defer { (state.storageError, state.writeError) = (nil, nil) }
            return state.writeError ?? state.storageError
        }
    }

    /// Accesses the state, after it has read the file.
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

    /// Whether the next access waits for the disk.
    var mustRead: Bool { !state.withLock { $0.isRead } }

    /// Reads the file once, without the lock of the state; may wait for the disk.
    func prepare() {
        guard !state.withLock({ $0.isRead }) else { return }
        reading.withLock { _ in
            guard !state.withLock({ $0.isRead }) else { return }
            let (cookies, storageError) = load()
            let now = Date.now
            state.withLock { state in
                state.jar.set(cookies, created: .distantPast, now)
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
    var hasChanges: Bool { state.withLock { !$0.changes.isEmpty || $0.needsFile } }

    func writeChanges() {
        let changes = state.withLock { $0.changes.take() }
        guard let file else {
            let isLasting = changes.all.contains { $0.value?.isSessionOnly == false }
            let words = "neither XDG_STATE_HOME nor HOME names a folder"
            if isLasting { state.withLock { $0.storageError = words } }
            return
        }
        let keepsSessionCookies =
            if case .file(_, _, let keeps) = place { keeps } else { false }
        // A change that the storage does not write needs no file.
        let isWorthIt = changes.all.contains { _, cookie in
            cookie.map { keepsSessionCookies || !$0.isSessionOnly } ?? false
        }
        let needsFile = state.withLock { state in
            defer { state.needsFile = false }
            return state.needsFile
        }
        guard isWorthIt || needsFile || (try? file.read()) != nil else { return }
        do throws(PrivateFileError) {
            try file.change { data throws(PrivateFileError) in
                try CookieFile.merged(
                    data,
                    path: file.path,
                    changes,
                    .now,
                    keepsSessionCookies: keepsSessionCookies,
                    makesFile: needsFile
                )
            }
            state.withLock { $0.writeError = nil }
        } catch {
            // The next flush writes the changes, in case the user has repaired the file.
            state.withLock { state in
                state.writeError = "\(error)"
                state.changes.putBack(changes)
                if needsFile { state.needsFile = true }
            }
        }
    }
}
