import Glibc

extension BackgroundClient {
    /// The search for a session's transfer process, whatever its processes are just doing.
    enum Search {
        /// What there is.
        enum Finding: ~Copyable {
            /// No process carries the session out: the client has the lock.
            case free(BackgroundFolder, BackgroundLock)
            /// A transfer process, connected to; nothing has been sent yet.
            case alive(PeerSocket)
            /// There is no such session, and none was to be made.
            case absent
        }
    }
}

extension BackgroundClient.Search {
    /// Looks once; `nil` where the lock's holder is just beginning, or ending.
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
        var failure: BackgroundError?
        do throws(PrivateFileError) {
            if let lock = try BackgroundLock.take(in: folder.folder) {
                if hasStarted { failure = BackgroundLock.holder(in: folder.folder)?.error }
                if failure == nil { return .free(folder, lock) }
            }
        } catch {
            // It may have been removed between the two.
            guard access(folder.path, F_OK) == 0 else { return nil }
            throw .file(error)
        }
        if let failure { throw failure }
        guard let holder = BackgroundLock.holder(in: folder.folder), holder.failure == nil,
            let socket = try SocketAddress(path: holder.socket).connect()
        else { return nil }
        return .alive(socket)
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
        guard let holder else { return "its lock is taken, by a process that has not named itself" }
        return "process \(holder.process) has its lock, and does not answer at \(holder.socket)"
    }
}
