import Glibc

// The search for a session's transfer process.
extension BackgroundClient {
    enum Finding: ~Copyable {
        /// No process had the lock: the client has it now.
        case free(BackgroundFolder, BackgroundLock)
        case alive(PeerSocket)
        case absent
    }

    /// Makes one step of the search; `nil` while the lock's holder is starting or ending.
    ///
    /// If the caller has started a transfer process, that process's error in the lock's file is thrown.
    static func find(
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
            // Another process may have removed the folder meanwhile.
            guard access(folder.path, F_OK) == 0 else { return nil }
            throw .file(error)
        }
        if let failure { throw failure }
        guard let holder = BackgroundLock.holder(in: folder.folder), holder.failure == nil,
            let socket = try SocketAddress(path: holder.socket).connect()
        else { return nil }
        return .alive(socket)
    }

    /// The process for which a search has waited too long, in words.
    static func holder(
        of identifier: BackgroundIdentifier,
        in root: String
    ) throws(BackgroundError) -> String {
        guard let folder = try BackgroundFolder(identifier, in: root, makes: false),
            let holder = BackgroundLock.holder(in: folder.folder)
        else { return "an unknown process has its lock" }
        let process = "process \(holder.process)"
        return "\(process) has its lock, and does not respond at \(holder.socket)"
    }
}
