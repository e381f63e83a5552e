import FoundationEssentials
import URLLoading

struct BackgroundPlan: Equatable, Sendable {
    let identifier: BackgroundIdentifier
    /// The command that the session runs at the end.
    let command: String?
    let isDiscretionary: Bool
    /// How many tries in a row may fail; nil: any number.
    let tries: Int?
    /// How many tasks run at once; nil: the default, or the session's number.
    let jobs: Int?

    /// Takes over the flags, and names a session without a name.
    init?(_ options: Options) throws(UsageError) {
        guard options.background else { return nil }
        identifier = options.identifier ?? .random()
        if let path = options.loadedCookies, FileFacts.isSpecial(path) {
            throw .conflict(
                "--background",
                "--load-cookies",
                reason: "the transfer process reads it later, so it must be a regular file"
            )
        }
        command = options.onComplete
        isDiscretionary = options.isDiscretionary
        jobs = options.given.contains("--jobs") ? options.jobs : nil
        tries = options.given.contains("--tries") ? options.session.retries.tries : nil
    }
}

/// The plan of `--attach`.
struct AttachPlan: Sendable {
    let identifier: BackgroundIdentifier
    let messages: MessagePlan
    let authentication: AuthenticationPlan

    /// The file with the events that earlier runs have received.
    var record: String? {
        if case .file(let path) = messages.events { path } else { nil }
    }

    /// Takes over the flags, and reads the secrets that they name.
    init(_ identifier: BackgroundIdentifier, _ options: Options) throws(UsageError) {
        self.identifier = identifier
        var messageOptions = options
        // Nothing is sent or received here; there are only events.
        if options.verbosity == .verbose { messageOptions.verbosity = .everything }
        messages = MessagePlan(messageOptions, try EventDestination(options))
        authentication = try AuthenticationPlan(options)
    }
}

extension FileConventions {
    /// The command's conventions for files, also in its transfer processes.
    static var command: FileConventions {
        var conventions = FileConventions()
        conventions.name = { $0.contentDisposition.flatMap(FileName.from) }
        conventions.keepValidator = { file, request, response in
            // The validator of a part or of an error's page is not the file's.
            guard response.statusCode == 200, let request,
                let url = ResumeData.address(of: request)
            else { return }
            StoredValidator(url, response.headerFields)?.write(to: file)
        }
        return conventions
    }
}

extension TaskPlan {
    /// The plan that messages use for a background task; `nil` if its URL cannot be shown.
    convenience init?(
        background task: URLSessionTask,
        _ path: String?,
        _ authentication: AuthenticationPlan
    ) {
        guard let request = task.originalRequest, let url = request.url,
            let address = try? WebAddress(url.absoluteString),
            let identity = try? authentication.identity(at: address, firstOrigin: address.origin)
        else { return nil }
        let destination = path.map { path in
            Destination.file(
                FileDestination(
                    folder: FolderTrust.folder(of: path),
                    name: FileName.lastComponent(ofPath: path),
                    ifExists: .replace,
                    makesFolder: false
                )
            )
        }
        let isUpload = task is URLSessionUploadTask
        self.init(
            kind: TaskKind(destination: destination ?? .standardOutput),
            address: address,
            request: request,
            body: isUpload ? .file(path: "", length: task.countOfBytesExpectedToSend) : .none,
            identity: identity
        )
    }
}

// Messages about tasks that the transfer process has carried out.
extension Printer {
    /// A task has succeeded, perhaps some time ago.
    func ended(_ run: TaskRun, _ received: Int64) {
        progress.board?.remove(run.progress)
        guard isWatched else { return }
        let place = run.get(\.naming.saved).map { " -> " + Printable.text($0) } ?? ""
        let sent = run.progress.reading.sent
        let bytes = received > 0 ? received : sent
        let amount = bytes > 0 ? ": \(received > 0 ? "" : "sent ")\(ByteText.size(bytes))" : ""
        line("\(run.plan.address.redacted)\(place)\(amount)")
    }
}
