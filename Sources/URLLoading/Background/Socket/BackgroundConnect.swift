import Glibc

/// The way into a background session, whatever its processes are just doing.
enum BackgroundConnect {
    /// What somebody has come upon.
    enum Finding: ~Copyable {
        /// Nobody carries the session out: whoever has the lock is to see to that.
        case free(BackgroundFolder, BackgroundLock)
        /// A transfer process, connected to; nothing has been said yet.
        case alive(PeerSocket)
        /// There is no such session, and none was to be made.
        case absent
    }

    /// The first wait for a process that is beginning or ending, and the longest, microseconds.
    private static let waits: (first: UInt32, longest: UInt32) = (5_000, 200_000)

    /// Looks once; `nil` where whoever has the lock is just beginning, or ending.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - root: where the folders of sessions are.
    ///   - makes: whether one is made.
    ///   - hasStarted: whether the caller has started a transfer process, and so does not start
    ///     another where that one says why it cannot be one.
    /// - Returns: what there is.
    /// - Throws: what keeps it from being used.
    static func look(
        _ identifier: BackgroundIdentifier,
        in root: String,
        makes: Bool,
        hasStarted: Bool = false
    ) throws(BackgroundError) -> Finding? {
        guard let folder = try BackgroundFolder(identifier, in: root, makes: makes) else {
            return .absent
        }
        var failure: String?
        do throws(PrivateFileError) {
            if let lock = try BackgroundLock.take(in: folder.folder) {
                if hasStarted { failure = BackgroundLock.holder(in: folder.folder)?.failure }
                if failure == nil { return .free(folder, lock) }
            }
        } catch {
            // It may have been removed between the two.
            guard access(folder.path, F_OK) == 0 else { return nil }
            throw .file(error)
        }
        if let failure { throw .executable(failure) }
        guard let holder = BackgroundLock.holder(in: folder.folder), holder.failure == nil,
            let socket = try SocketAddress(path: holder.socket).connect()
        else { return nil }
        return .alive(socket)
    }

    /// Looks until there is something to be found; waits on this thread.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - root: where the folders of sessions are.
    ///   - makes: whether one is made.
    ///   - timeout: for how long.
    ///   - hasStarted: whether the caller has started a transfer process.
    /// - Returns: what there is.
    /// - Throws: what keeps it from being used; `disconnected` where that took too long.
    static func enter(
        _ identifier: BackgroundIdentifier,
        in root: String,
        makes: Bool,
        timeout: Duration = .seconds(10),
        hasStarted: Bool = false
    ) throws(BackgroundError) -> Finding {
        let deadline = ContinuousClock.now + timeout
        var wait = waits.first
        while true {
            let found = try look(
                identifier,
                in: root,
                makes: makes,
                hasStarted: hasStarted
            )
            if let found { return found }
            guard ContinuousClock.now < deadline else {
                throw .disconnected(try words(identifier, in: root))
            }
            usleep(wait)
            wait = min(wait * 2, waits.longest)
        }
    }

    /// What keeps a session from being used that has been looked for too long.
    static func words(
        _ identifier: BackgroundIdentifier,
        in root: String
    ) throws(BackgroundError) -> String {
        let folder = try BackgroundFolder(identifier, in: root, makes: false)
        let holder: LockHolder? =
            switch consume folder {
            case .some(let folder): BackgroundLock.holder(in: folder.folder)
            case .none: nil
            }
        guard let holder else { return "its lock is taken, and nobody says by whom" }
        return "process \(holder.process) has its lock, and does not answer at \(holder.socket)"
    }
}
