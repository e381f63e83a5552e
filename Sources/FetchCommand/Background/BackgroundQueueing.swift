import FoundationEssentials
import Glibc
import URLLoading

/// Hands the tasks of a command line to a background session.
@MainLoop
struct BackgroundQueueing {
    let plan: Plan
    let background: BackgroundPlan
    let printer: Printer
    let reports: Reports
    let signals: Signals
    /// The session for fetching a list of checksums, once it exists.
    var fetching: (session: URLSession, delegate: RunDelegate)?
    /// The last file whose folder was found to be usable.
    var checked: FileDestination?
    /// The files that earlier tasks replace, each with the next number for a task that must not.
    var replaced: [ExactText: Int] = [:]

    /// Queues the tasks, all or none, and prints the session's name.
    mutating func run(_ list: URLList?) async -> ProcessExit {
        guard AbsolutePath.isPossible else {
            printer.error(
                "--background: the working folder is gone, or its path is not UTF-8",
                hint: "change to another folder"
            )
            return .status(.fileIO)
        }
        var drafts: [BackgroundTaskDraft] = []
        var source = TaskSource(plan, list)
        let waiter = Waiter()
        while true {
            switch await source.next(waiter) {
            case .task(let task):
                do {
                    guard let draft = try await draft(of: task) else { continue }
                    drafts.append(draft)
                } catch {
                    return refuse(error, task)
                }
            case .invalid(let status, let words, let hint):
                printer.error(words, hint: hint)
                return .status(status)
            case .interrupted(.signal(let number)): return .signal(number)
            case .interrupted, .end: return submit(drafts)
            }
        }
    }

    private func submit(_ drafts: [BackgroundTaskDraft]) -> ProcessExit {
        guard !drafts.isEmpty else {
            printer.note("there is nothing to fetch in the background")
            return .status(.success)
        }
        let identifier = background.identifier
        let configuration = configuration
        // Printed first: if the name cannot be printed, nothing is queued.
        let name = isatty(STDOUT_FILENO) == 0 ? identifier.text : Printable.text(identifier.text)
        let result = FetchCommand.print(name + "\n")
        guard case .status(.success) = result else { return result }
        // Queueing may wait, and there is nothing to clean up.
        let outcome = signals.allowed {
            Result { try BackgroundControl().submit(drafts, to: identifier, configuration) }
        }
        if case .failure(let error) = outcome {
            return BackgroundActions.fail(error, "--background", printer)
        }
        let count = drafts.count == 1 ? "1 task is" : "\(drafts.count) tasks are"
        let shown = ShellWord.quoted(identifier.text)
        printer.note("\(count) in the background: fetch --attach \(shown) follows")
        return result
    }

    private func refuse(_ error: any Error, _ task: TaskPlan) -> ProcessExit {
        let name = task.address.redacted
        switch error {
        case let error as UsageError:
            printer.error("\(name): \(error.message)", hint: error.hint)
            return .status(error.exitStatus)
        case let error as URLError:
            printer.error("\(name): \(error.words)")
            return .status(ExitStatus(error.code))
        case TaskOutcome.interrupted(.signal(let number)): return .signal(number)
        case let outcome as TaskOutcome:
            printer.error("\(name): \(Printable.text(outcome.words ?? ""))")
            return .status(outcome.exitStatus)
        default:
            printer.error("\(name): \(Printable.text("\(error)"))")
            return .status(.failure)
        }
    }

    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.make(
            plan.session,
            jobs: background.jobs,
            background: background.identifier
        )
        configuration.isDiscretionary = background.isDiscretionary
        configuration.background.completionCommand = background.command
        configuration.background.maximumTries = background.tries
        configuration.background.jobs = background.jobs
        configuration.background.cookieFile = plan.session.cookies.loadedFile
        // As in the foreground, a server that is not trusted is an error.
        configuration.background.asksAboutConnections = false
        // Nor does a transfer wait for a program to confirm a trusted server.
        configuration.background.asksAboutTrustedServers = false
        configuration.background.netrcFile = plan.authentication.netrc.path
        configuration.transport.maximumBodyBytes = plan.responses.maxFileSize
        configuration.transport.collectsMetrics = false
        configuration.httpCookieStorage =
            plan.session.cookies.storage == .none ? nil : HTTPCookieStorage()
        return configuration
    }
}

// Tasks of the plan as background tasks.
extension BackgroundQueueing {
    /// The task; `nil` if nothing is to be fetched, which is reported.
    private mutating func draft(of task: TaskPlan) async throws -> BackgroundTaskDraft? {
        if let file = task.kind.file, file.isKept {
            let path = Printable.text(file.path)
            printer.note("\(task.address.redacted): \(path) exists, not fetched")
            return nil
        }
        guard !task.address.isLocal else {
            throw UsageError.conflict(
                "--background",
                "this URL",
                reason: "a background session supports only HTTP and HTTPS"
            )
        }
        if task.identity.credential != nil, task.identity.sentAtOnce == nil {
            throw Self.conflict("a name or password of this URL", .keepsNoPassword)
        }
        var draft = BackgroundTaskDraft(task.request)
        draft.takesSuccessOnly = true
        switch task.body {
        case .none: break
        case .file(let path, .some): draft.file = AbsolutePath.of(path)
        case .file(let path, nil):
            throw UsageError.file(path: path, "is not a regular file")
        case .data, .rest, .standardInput, .form:
            throw Self.conflict("--data", .sendsFilesOnly)
        }
        try place(task, &draft)
        draft.filing.digest = try await digest(of: task)
        return draft
    }

    private mutating func place(_ task: TaskPlan, _ draft: inout BackgroundTaskDraft) throws {
        switch task.kind.destination {
        case .file(let file):
            if checked.map({ file.isBeside($0) }) != true {
                try file.makeFolder()
                _ = try file.checkPlace()
                checked = file
            }
            try file.checkOld()
            if file.continues { try checkExistingPart(file, draft.request) }
            draft.destination = path(of: file)
            draft.replaces = file.ifExists == .replace
            if file.ifExists == .keep { draft.filing.keepsExisting = true }
            if file.isNamedByServer { draft.filing.isNamedByServer = true }
            if file.foldersOfURL > 0 { draft.filing.foldersOfURL = file.foldersOfURL }
            if file.isTimestamped { try compare(file, task, &draft) }
        // The response to an upload, which the attached program receives.
        case .standardOutput: break
        case .automatic, .device:
            throw Self.conflict("--output DEVICE", .makesFiles)
        }
    }

    /// The path of a task's file, numbered if an earlier task replaces the file of that name.
    private mutating func path(of file: FileDestination) -> String {
        let path = AbsolutePath.of(file.path)
        let name = ExactText(path)
        guard file.ifExists == .number, let next = replaced[name] else {
            if file.ifExists == .replace, replaced[name] == nil { replaced[name] = 1 }
            return path
        }
        var number = next
        while replaced[ExactText("\(path).\(number)")] != nil
            || FileDestination.exists("\(path).\(number)")
        { number += 1 }
        replaced[name] = number + 1
        replaced[ExactText("\(path).\(number)")] = 1
        return "\(path).\(number)"
    }

    private func compare(
        _ file: FileDestination,
        _ task: TaskPlan,
        _ draft: inout BackgroundTaskDraft
    ) throws(UsageError) {
        guard plan.checksums.isNone, task.expected == nil else {
            throw .conflict(
                "--background",
                "--timestamping with a checksum",
                reason: "existing files are compared only in the foreground"
            )
        }
        draft.filing.keepsValidator = true
        guard let condition = task.condition(for: file) else { return }
        if condition.isUnproven, let status = FileStatus(file.path) {
            draft.filing.existing = BackgroundFiling.Existing(
                size: status.size,
                modified: Int64(status.modified)
            )
        } else {
            condition.add(to: &draft.request)
        }
    }

    /// Throws if a command in the foreground has left a part.
    private func checkExistingPart(
        _ file: FileDestination,
        _ request: URLRequest
    ) throws(UsageError) {
        guard let url = ResumeData.address(of: request) else { return }
        if case .nothing = ExistingPart(of: file, url: url) { return }
        throw .invalidValue(
            flag: "--continue",
            value: nil,
            reason: "a background session continues only its own downloads, and not"
                + " \(Printable.text(file.path))",
            hint: "finish it without --background, or remove it"
        )
    }

    private static func conflict(_ flag: String, _ refusal: BackgroundRefusal) -> UsageError {
        .conflict("--background", flag, reason: refusal.rawValue)
    }
}

// The expected digests of the tasks. A list from a URL is fetched before anything is queued.
extension BackgroundQueueing {
    /// The expected digest of a task's body; throws the task's outcome if it cannot be found.
    mutating func digest(of task: TaskPlan) async throws -> ExpectedDigest? {
        if let expected = task.expected { return expected }
        guard !plan.checksums.isNone else { return nil }
        let (session, delegate) = fetching ?? makeSession()
        fetching = (session, delegate)
        let runner = TaskRunner(
            run: TaskRun(task),
            number: 0,
            session: session,
            delegate: delegate,
            signals: signals
        )
        try await delegate.checksums.load(for: runner)
        return try delegate.checksums.find(for: task)
    }

    private func makeSession() -> (session: URLSession, delegate: RunDelegate) {
        let delegate = RunDelegate(plan, printer, StreamFiles(.none), reports, Waiter())
        let configuration = URLSessionConfiguration.make(plan.session)
        configuration.keepCookies(plan.session.cookies)
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
        return (session, delegate)
    }
}
