import FoundationEssentials

/// A client of sessions to which the program is not attached, whether or not their processes run.
package struct BackgroundControl: Sendable {
    package struct SessionRequest: Sendable, Equatable {
        let request: BackgroundRequest

        package static let pause = SessionRequest(request: .pause)
        /// Resumes the session's transfers, including those of held tasks.
        package static let resume = SessionRequest(request: .resumeAll)
        /// Cancels all tasks.
        ///
        /// Undelivered events are dropped, unless a program is attached.
        package static let discard = SessionRequest(request: .discard)
    }

    /// The timeout of a reply, which may wait for copies of files and for a busy disk.
    private static let timeout = Duration.seconds(60)

    let root: String

    /// - Parameter folders: the user's folders.
    /// - Throws: `noFolder`.
    package init(_ folders: UserFolders = UserFolders()) throws(BackgroundError) {
        guard let root = BackgroundFolder.root(folders) else { throw .noFolder }
        self.root = root
    }

    /// The path of a session's folder, which may not exist.
    package func path(of identifier: BackgroundIdentifier) -> String {
        "\(root)/\(identifier.folderName)"
    }

    /// Whether a session's folder exists.
    ///
    /// Throws `file` if other users could change the folder.
    package func has(_ identifier: BackgroundIdentifier) throws(BackgroundError) -> Bool {
        try BackgroundFolder(identifier, in: root, makes: false) != nil
    }

    /// Sends a request to a session; returns whether the session exists.
    ///
    /// If no transfer process runs, the request is written to the journal, and a process is started if it
    /// has work.
    package func send(
        _ request: SessionRequest,
        to identifier: BackgroundIdentifier
    ) throws(URLError) -> Bool {
        try send(request.request, to: identifier)
    }

    /// Without a request, a transfer process is started if the session has work.
    private func send(
        _ request: BackgroundRequest?,
        to identifier: BackgroundIdentifier
    ) throws(URLError) -> Bool {
        let found: Bool? = try withSession(identifier) { folder, lock throws(BackgroundError) in
            guard var journaled = try JournaledState.open(folder, settings: nil, limit: 0) else {
                folder.remove()
                return nil
            }
            let state = journaled.machine.state
            let inputs = request.map { [BackgroundInput.request($0, from: 0)] } ?? []
            for effect in try journaled.take(inputs, in: folder, at: WallClock.now) {
                // No client is attached, so a cancelled task is forgotten in the same step.
                guard case .forget(let tasks) = effect else { continue }
                for record in tasks.compactMap({ state.tasks[$0]?.record }) {
                    let token = state.settings?.token ?? ""
                    TransferFiles(folder.filesPath, record, token: token).remove()
                    folder.removeFiles(of: record.identifier)
                }
            }
            let machine = journaled.machine
            _ = consume journaled
            if machine.state.isSpent {
                folder.remove()
            } else if !machine.isIdle {
                // A command ends long before the transfer process, and does not reap it.
                _ = try TransferProcess.start(identifier, in: root, lock: lock)
            }
            return true
        } connected: { conversation throws(BackgroundError) in
            if let request { try conversation.request(request) }
            return true
        }
        return found ?? false
    }

    /// Starts a transfer process for each session that has work and no process, as after a reboot.
    ///
    /// Paused sessions and held tasks stay so. Returns the errors, with the names of their sessions.
    package func startAll() -> [(name: String, error: URLError)] {
        BackgroundFolder.names(in: root).compactMap { name in
            var shown = name
            do throws(URLError) {
                let identifier = try identifier(ofFolder: name)
                shown = identifier.text
                _ = try send(nil, to: identifier)
                return nil
            } catch {
                return (shown, error)
            }
        }
    }

    private func identifier(ofFolder name: String) throws(URLError) -> BackgroundIdentifier {
        if let found = BackgroundIdentifier(folderName: name, in: root) { return found }
        throw URLError(.cannotOpenFile, detail: "\(root)/\(name) is not the folder of a session")
    }

    /// The status of each session of this user, or an error; read when the sequence is iterated.
    package var sessions: some Sequence<Result<BackgroundStatus, URLError>> {
        BackgroundFolder.names(in: root).lazy.compactMap { name in
            do throws(URLError) {
                return try summary(of: identifier(ofFolder: name), isOneOfMany: true)
                    .map { .success($0) }
            } catch {
                return .failure(error)
            }
        }
    }

    /// The status of a session; `nil` if the session does not exist.
    ///
    /// In a list of sessions, one that does not respond is waited for only 5 s.
    package func summary(
        of identifier: BackgroundIdentifier,
        isOneOfMany: Bool = false
    ) throws(URLError) -> BackgroundStatus? {
        let timeout = isOneOfMany ? Duration.seconds(5) : Self.timeout
        let found = try withSession(identifier, timeout: timeout) {
            folder,
            lock throws(BackgroundError) in
            defer { withExtendedLifetime(lock) {} }
            guard let journaled = try JournaledState.open(folder, settings: nil, limit: 0) else {
                // A crash has left this folder empty.
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

// Access to a session: by its lock, or by its socket.
extension BackgroundControl {
    /// Uses a session, by its lock or by its transfer process; `nil` if the session does not exist.
    ///
    /// `unlocked` is called on another thread, for which this one waits.
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
            client: BackgroundClient(
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
}

// Queueing of tasks.
extension BackgroundControl {
    /// Queues resumed tasks, all or none; returns when they are on the disk.
    ///
    /// The session is made if it does not exist, and has the configuration from now on.
    package func submit(
        _ drafts: [BackgroundTaskDraft],
        to identifier: BackgroundIdentifier,
        _ configuration: URLSessionConfiguration
    ) throws(URLError) {
        let settings = configuration.settings
        if let blocker = settings.storingBlocker { throw blocker.urlError }
        let now = WallClock.now
        let mode = NewFileMode.current
        let records = try drafts.map { draft throws(URLError) in
            var record = try draft.record(0, settings, at: now, mode: mode)
            record.startsResumed = true
            return record
        }
        let session = BackgroundSettings(identifier, settings)
        let found: Bool? = try withSession(identifier, makes: true) {
            folder,
            lock throws(BackgroundError) in
            try Self.write(records, session, in: folder)
            // A command ends long before the transfer process, and does not reap it.
            _ = try TransferProcess.start(identifier, in: root, lock: lock)
            return true
        } connected: { conversation throws(BackgroundError) in
            try conversation.make(records, session)
            return true
        }
        guard found == true else { throw BackgroundError.noFolder.urlError }
    }

    /// Writes the tasks to the journal; the caller has the session's lock.
    private static func write(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        in folder: borrowing BackgroundFolder
    ) throws(BackgroundError) {
        guard var journaled = try JournaledState.open(folder, settings: settings, limit: 0) else {
            throw .noFolder
        }
        try folder.makeFilesFolder()
        let numbered = journaled.machine.state.numbered(records).map { record in
            var record = record
            record.body = record.body?.copied(to: folder.bodyPath(of: record.identifier))
            return record
        }
        do throws(BackgroundError) {
            let request = BackgroundRequest.make(tasks: numbered, settings: settings)
            _ = try journaled.take([.request(request, from: 0)], in: folder, at: WallClock.now)
        } catch {
            for record in numbered { folder.removeFiles(of: record.identifier) }
            // A session without a task is removed again.
            if journaled.machine.state.isSpent { folder.remove() }
            throw error
        }
    }
}
