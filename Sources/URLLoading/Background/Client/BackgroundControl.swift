import FoundationEssentials

/// Queues tasks, sends requests and asks for the status of sessions to which the program is not
/// attached: whether or not the session's transfer process runs.
package struct BackgroundControl: Sendable {
    /// What is to become of a session.
    package struct SessionRequest: Sendable, Equatable {
        let request: BackgroundRequest

        /// Its transfers are held.
        package static let pause = SessionRequest(request: .pause)
        /// They go on, those too of tasks that were held.
        package static let resume = SessionRequest(request: .resumeAll)
        /// They end, and the session is forgotten with the events that are left; a program that is
        /// attached is told all the same.
        package static let discard = SessionRequest(request: .discard)
    }

    /// How long a reply may take: it may have to be brought to a busy disk, and files to be copied
    /// before that.
    private static let timeout = Duration.seconds(60)
    /// The same of a status, where there are other sessions to be asked.
    private static let shortTimeout = Duration.seconds(5)

    let root: String

    /// - Parameter folders: where the user's files belong.
    /// - Throws: `noFolder`.
    package init(_ folders: UserFolders = UserFolders()) throws(BackgroundError) {
        guard let root = BackgroundFolder.root(folders) else { throw .noFolder }
        self.root = root
    }

    /// The folder of a session, whether or not there is one.
    package func path(of identifier: BackgroundIdentifier) -> String {
        "\(root)/\(identifier.folderName)"
    }

    /// Whether there is a folder of a session.
    ///
    /// Throws `file` where others could change it.
    package func has(_ identifier: BackgroundIdentifier) throws(BackgroundError) -> Bool {
        let folder = try BackgroundFolder(identifier, in: root, makes: false)
        return switch consume folder {
        case .some: true
        case .none: false
        }
    }

    /// Gives an order.
    ///
    /// Where no transfer process runs it is written down, and one is started if it has something to
    /// do now.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - identifier: the session.
    /// - Returns: whether there is such a session.
    /// - Throws: what keeps it from being carried out.
    package func send(
        _ request: SessionRequest,
        to identifier: BackgroundIdentifier
    ) throws(URLError) -> Bool {
        let found = try withSession(identifier) { folder, lock throws(BackgroundError) in
            try carryOut(request.request, identifier, folder, lock)
        } connected: { conversation throws(BackgroundError) in
            try conversation.request(request.request)
            return true
        }
        return found ?? false
    }

    private func carryOut(
        _ request: BackgroundRequest,
        _ identifier: BackgroundIdentifier,
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock
    ) throws(BackgroundError) -> Bool? {
        guard var journaled = try Self.open(folder) else {
            folder.remove()
            return nil
        }
        let state = journaled.machine.state
        for effect in try Self.take(request, &journaled, folder) {
            guard case .cancel(let task) = effect, let record = state.tasks[task]?.record
            else { continue }
            let token = state.settings?.token ?? ""
            TransferFiles(folder.filesPath, record, token: token).remove()
            folder.removeFiles(of: task)
        }
        let isSpent = journaled.machine.state.isSpent
        let hasWork = journaled.hasWork
        _ = consume journaled
        if isSpent {
            folder.remove()
        } else if hasWork {
            // A command ends long before the transfer process, and does not reap it.
            _ = try TransferProcess.start(identifier, in: root, lock: lock)
        }
        return true
    }

    /// Starts a transfer process for each session that has something to do and none, as after the
    /// machine was started anew: what is paused or held stays so.
    ///
    /// - Returns: what keeps sessions from that, by their names.
    package func startAll() -> [(name: String, error: URLError)] {
        BackgroundFolder.names(in: root).compactMap { name in
            guard let identifier = BackgroundIdentifier(folderName: name, in: root) else {
                let words = "\(root)/\(name) is no session's folder"
                return (name, URLError(.cannotOpenFile, detail: words))
            }
            do throws(URLError) {
                try startIfNeeded(identifier)
                return nil
            } catch {
                return (identifier.text, error)
            }
        }
    }

    private func startIfNeeded(_ identifier: BackgroundIdentifier) throws(URLError) {
        _ = try withSession(identifier) { folder, lock throws(BackgroundError) in
            guard let journaled = try Self.open(folder) else {
                folder.remove()
                return nil as Bool?
            }
            let hasWork = journaled.hasWork
            _ = consume journaled
            if hasWork { _ = try TransferProcess.start(identifier, in: root, lock: lock) }
            return true
        } connected: { _ in
            true
        }
    }

    /// The status of every session of this user, or what keeps it from being found out, by folder:
    /// each is looked at when it is asked for.
    package var sessions: some Sequence<Result<BackgroundStatus, URLError>> {
        BackgroundFolder.names(in: root).lazy.compactMap { name in
            guard let identifier = BackgroundIdentifier(folderName: name, in: root) else {
                return .failure(
                    URLError(.cannotOpenFile, detail: "\(root)/\(name) is no session's folder")
                )
            }
            do throws(URLError) {
                return try summary(of: identifier, Self.shortTimeout).map { .success($0) }
            } catch {
                return .failure(error)
            }
        }
    }

    /// The status of a session; `nil` where there is none.
    package func summary(
        of identifier: BackgroundIdentifier
    ) throws(URLError) -> BackgroundStatus? {
        try summary(of: identifier, Self.timeout)
    }

    private func summary(
        of identifier: BackgroundIdentifier,
        _ timeout: Duration
    ) throws(URLError) -> BackgroundStatus? {
        let found = try withSession(identifier, timeout: timeout) {
            folder,
            lock throws(BackgroundError) in
            defer { withExtendedLifetime(lock) {} }
            guard let journaled = try Self.open(folder) else {
                // Of a crash before there was anything in it.
                folder.remove()
                return nil
            }
            let machine = journaled.machine
            return BackgroundStatus(machine, process: nil)?.with(machine)
        } connected: { conversation throws(BackgroundError) in
            try conversation.status()
        }
        guard var status = found else { return nil }
        let log = BackgroundFolder.commandLogPath(identifier, in: root)
        if status.commandRuns > 0, FileStatus(log) != nil { status.commandLog = log }
        return status
    }
}

// Sessions are entered: by the lock, or by the socket.
extension BackgroundControl {
    /// Does something with a session.
    ///
    /// - Parameters: - identifier: the session. - makes: whether it is made where there is none. -
    ///   timeout: how long each reply may take. - unlocked: what is done where no process has the
    ///   session's lock; on another thread, which this one waits for. - connected: what is done by
    ///   way of the transfer process.
    /// - Returns: what has come of it; `nil` where there is no session.
    /// - Throws: what keeps it from being done.
    func withSession<Value: Sendable>(
        _ identifier: BackgroundIdentifier,
        makes: Bool = false,
        timeout: Duration = timeout,
        unlocked:
            @escaping @Sendable (consuming BackgroundFolder, consuming BackgroundLock)
            throws(BackgroundError) -> Value?,
        connected: (BackgroundConversation) throws(BackgroundError) -> Value
    ) throws(URLError) -> Value? {
        let outcome = BlockingWait<Value?>()
        let conversation = BackgroundConversation(
            BackgroundClient(
                identifier,
                in: root,
                for: .control,
                makes: makes,
                timeout: timeout,
                queue: SerialQueue("BackgroundControl")
            ) { folder, lock throws(BackgroundError) in
                outcome.end(try unlocked(folder, lock))
                return false
            }
        )
        defer { conversation.end() }
        do throws(BackgroundError) {
            return try conversation.begin() ? connected(conversation) : outcome.result ?? nil
        } catch {
            throw error.urlError
        }
    }

    static func open(
        _ folder: borrowing BackgroundFolder,
        _ settings: BackgroundSettings? = nil
    ) throws(BackgroundError) -> JournaledState? {
        do throws(JournalError) {
            return try JournaledState.open(folder, settings: settings, limit: 0)
        } catch {
            throw .journal(error)
        }
    }

    static func take(
        _ request: BackgroundRequest,
        _ journaled: inout JournaledState,
        _ folder: borrowing BackgroundFolder
    ) throws(BackgroundError) -> [BackgroundEffect] {
        do throws(JournalError) {
            return try journaled.take([.request(request, from: 0)], in: folder, at: WallClock.now)
        } catch {
            throw .journal(error)
        }
    }
}
