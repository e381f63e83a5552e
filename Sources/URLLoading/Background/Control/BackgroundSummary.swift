/// How a background session is, for lists.
package struct BackgroundSummary: Sendable {
    /// A task whose end has not been told.
    package struct Task: Sendable {
        package var number: Int
        package var method: String
        /// As it was asked for; a user and password in it are the caller's to leave out.
        package var url: String
        /// The file that it becomes, or has become; `nil`: the client that attaches gets it.
        package var destination: String?
        package var phase: BackgroundPhase
        /// Bytes, so far.
        package var received: Int64
        package var sent: Int64
        /// Bytes; −1 where that is not known.
        package var expectedToReceive: Int64
        package var expectedToSend: Int64
        /// The tries that have failed in a row.
        package var attempts: Int
        /// When it is tried again, microseconds since 1970.
        package var retryTime: Int64?
        /// What it has ended with, or the last try failed with, or why the transfer process holds it.
        package var error: URLError?
        /// The length of what it has received, where it has ended with that.
        package var size: Int64?
        /// The status of its response, where it has ended; one of an error is a failure only where
        /// `takesSuccessOnly`.
        package var status: Int?
        package var takesSuccessOnly: Bool
        package var isUpload: Bool
        /// Who wants a credential, where it is parked.
        package var challenger: String?
    }

    package var identifier: String
    /// The transfer process; `nil` where none runs.
    package var process: Int32?
    /// Who is attached.
    package var attached: Int32?
    package var isPaused: Bool
    package var isDiscretionary: Bool
    /// What the session as a whole waits for, in words.
    package var waitsFor: [String]
    package var tasks: [Task]
    /// The events that nobody has been told.
    package var untold: Int
    /// What the session's command has ended with the last time, as waitpid(2) says; `nil` where it
    /// was never run, or nobody knows.
    package var commandStatus: Int32?
    package var commandIsRunning: Bool
    package var commandRuns: Int
    /// The file that has what the command has said; `nil` where there is none.
    package var commandLog: String?

    init(_ status: BackgroundStatus) {
        identifier = status.settings.identifier
        process = status.process
        attached = status.attached
        isPaused = status.isPaused
        isDiscretionary = status.settings.isDiscretionary
        waitsFor = status.waitsFor
        tasks = status.tasks.map(Task.init)
        untold = status.untold
        commandStatus = status.command?.status
        commandIsRunning = status.command?.isRunning ?? false
        commandRuns = status.command?.number ?? 0
    }
}

extension BackgroundSummary.Task {
    fileprivate init(_ task: BackgroundStatus.Task) {
        let record = task.record
        number = record.identifier
        method = record.request.method ?? "GET"
        url = record.request.url
        destination = task.path ?? record.destination
        phase = task.phase
        received = task.progress?.received ?? 0
        sent = task.progress?.sent ?? 0
        expectedToReceive = task.progress?.expectedToReceive ?? -1
        expectedToSend = task.progress?.expectedToSend ?? record.body?.file.size ?? -1
        attempts = task.attempts
        retryTime = task.retryTime
        error = task.error?.urlError
        size = task.size
        status = task.status
        takesSuccessOnly = record.takesSuccessOnly
        isUpload = record.kind == .upload
        challenger = task.challenge.map { "\($0.host):\($0.port)" }
    }
}

// How all is.
extension BackgroundControl {
    /// How long a transfer process may take to say how it is, where there are others to be asked.
    private static let shortTimeout = Duration.seconds(5)

    /// How every session of this user is, or what keeps that from being found out, by folder: each is
    /// looked at when it is asked for.
    package var sessions: some Sequence<Result<BackgroundSummary, URLError>> {
        BackgroundFolder.names(in: root).lazy.compactMap { name in
            guard let identifier = BackgroundIdentifier(folderName: name, in: root) else {
                return .failure(
                    URLError(.cannotOpenFile, detail: "\(root)/\(name) is no session's folder")
                )
            }
            do throws(URLError) {
                let summary = try summary(of: identifier, timeout: Self.shortTimeout)
                return summary.map { .success($0) }
            } catch {
                return .failure(error)
            }
        }
    }

    /// How a session is; `nil` where there is none.
    package func summary(
        of identifier: BackgroundIdentifier
    ) throws(URLError) -> BackgroundSummary? {
        try summary(of: identifier, timeout: ControlConnection.timeout)
    }

    private func summary(
        of identifier: BackgroundIdentifier,
        timeout: Duration
    ) throws(URLError) -> BackgroundSummary? {
        switch try enter(identifier, makes: false, timeout: timeout) {
        case .absent: return nil
        case .alive(var call):
            do throws(BackgroundError) {
                return noting(BackgroundSummary(try call.status()), identifier)
            } catch {
                throw error.urlError
            }
        case .free(let folder, let lock):
            _ = lock
            guard let journaled = try Self.open(folder, nil) else {
                // Of a crash before there was anything in it.
                folder.remove()
                return nil
            }
            return BackgroundStatus(journaled.machine, process: nil).map {
                noting(BackgroundSummary($0), identifier)
            }
        }
    }

    /// A summary with the log of the session's command.
    private func noting(
        _ summary: BackgroundSummary,
        _ identifier: BackgroundIdentifier
    ) -> BackgroundSummary {
        let path = BackgroundFolder.commandLogPath(identifier, in: root)
        var summary = summary
        if summary.commandRuns > 0, FileStatus(path) != nil { summary.commandLog = path }
        return summary
    }
}
