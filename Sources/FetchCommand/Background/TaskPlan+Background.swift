import FoundationEssentials
import URLLoading

extension TaskPlan {
    /// The plan that messages use for a background task; `nil` if its URL cannot be shown.
    init?(background task: URLSessionTask, _ path: String?, _ authentication: AuthenticationPlan) {
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
            removedHeaders: [],
            body: isUpload ? .file(path: "", length: task.countOfBytesExpectedToSend) : .none,
            identity: identity
        )
    }
}

// Messages about tasks that the transfer process has carried out.
extension Printer {
    /// A task has succeeded, perhaps some time ago.
    func ended(_ run: TaskRun, _ received: Int64) {
        progress.end(run.progress)
        guard isWatched else { return }
        let place = run.get(\.naming.saved).map { " -> " + Printable.text($0) } ?? ""
        let sent = run.progress.reading.sent
        let bytes = received > 0 ? received : sent
        let amount = bytes > 0 ? ": \(received > 0 ? "" : "sent ")\(ByteText.size(bytes))" : ""
        line("\(run.plan.address.redacted)\(place)\(amount)")
    }
}
