import URLLoading

/// The text of `--dry-run`: the planned requests and tasks.
enum DryRun {
    /// One block for each task, separated by empty lines, without secrets.
    static func text(of plan: Plan) -> String {
        plan.tasks.map { text(of: $0, plan) }.joined(separator: "\n")
    }

    static func text(of task: TaskPlan, _ plan: Plan) -> String {
        let session = plan.session
        var lines = ["\(task.request.httpMethod ?? "") \(task.address.redacted)"]
        if let target = task.request.httpRequestTarget {
            lines.append("request target: \(Printable.text(target))")
        }
        if !task.address.isLocal {
            lines += task.headers.map { field in
                let isURL = field.isNamed("Referer")
                let shown = isURL ? Redaction.url(field.value) : field.shownValue
                return Printable.text("\(field.name): \(UserInfo.redacted(in: shown))")
            }
            lines += task.removedHeaders.map { "(no \($0))" }
        }
        if let proxy = try? session.proxy(for: task.address) {
            let isTunnel = session.transport.tunnelsThroughProxy && proxy.scheme.isHTTP
            lines.append("proxy: \(proxy.url)\(isTunnel ? ", through a tunnel" : "")")
        }
        if let named = session.named { lines.append("session: \(named.name)") }
        let policy = session.settings.requestCachePolicy
        if policy != .reloadRevalidatingCacheData {
            lines.append("cache: \(Flags.word(for: policy))")
        }
        lines.append("body: \(describe(task.body))")
        let most = session.transport.maximumStreamsPerDownload
        let streams = most > 1 ? ", in up to \(most) streams" : ""
        lines.append(
            "task: \(action(task)) \(describe(task.kind.destination))\(streams)"
                + continuation(of: task)
        )
        if let place = plan.reports.entityTag { lines.append("entity tag: to \(describe(place))") }
        if let checksum = describe(plan.checksums, task) { lines.append("checksum: \(checksum)") }
        if plan.background != nil { lines.append("in the background") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func describe(_ checksums: ChecksumPlan, _ task: TaskPlan) -> String? {
        switch checksums {
        case .none: return nil
        case .digest(let expected): return "\(expected)"
        case .remote(let list): return "from \(list.address.redacted)"
        case .list(let list, let name):
            do throws(ChecksumList.LookupError) {
                return "\(try list.expected(for: task)), from \(name)"
            } catch {
                return "none: \(name) \(error.words)"
            }
        }
    }

    private static func describe(_ body: BodyPlan) -> String {
        switch body {
        case .none: "none"
        case .data: "data, \(length(body.length))"
        case .file(let path, _): "file \(Printable.text(path)), \(length(body.length))"
        case .rest(let path, let offset, _):
            "file \(Printable.text(path)) from byte \(offset), \(length(body.length))"
        case .standardInput: "standard input, \(length(nil))"
        case .form(let form):
            "form of \(ByteText.count(form.parts.count, "part")), \(length(body.length))"
        }
    }

    private static func action(_ task: TaskPlan) -> String {
        if task.body.isSent { return "upload, response to" }
        if task.kind.isHead { return "header to" }
        return task.kind.destination.mayBeStandardOutput ? "data to" : "download to"
    }

    private static func describe(_ destination: Destination) -> String {
        switch destination {
        case .standardOutput: "standard output"
        case .automatic(let file):
            "standard output, or as a download to \(describe(.file(file)))"
        case .device(let path): Printable.text(path)
        case .file(let file):
            Printable.text(file.path)
                + (file.isNamedByServer ? ", or the server's name" : "")
                + naming(file)
                + (file.isTimestamped ? " (replaced if the server has another)" : "")
        }
    }

    private static func naming(_ file: FileDestination) -> String {
        switch file.ifExists {
        case .replace: ""
        case .number: " (numbered if it exists)"
        case .keep where !file.isNamedByServer && FileDestination.exists(file.path):
            " (not fetched, because it exists)"
        case .keep: " (not fetched if it exists)"
        }
    }

    private static func continuation(of task: TaskPlan) -> String {
        guard let file = task.kind.file, file.continues,
            file.ifExists != .keep || !FileDestination.exists(file.path),
            let url = task.url
        else { return "" }
        switch ExistingPart(of: file, url: url) {
        case .nothing: return ", from the beginning"
        case .part(let data) where data.received.trailer != nil:
            return ", continued with the holes in \(data.receivedBytes) bytes"
        case .part(let data): return ", continued at byte \(data.receivedBytes)"
        case .unproven(let part):
            return ", continued at byte \(part.size) if the server has the same bytes before it"
        case .unusable(let why): return ", started over: \(Printable.text(why))"
        }
    }

    private static func length(_ length: Int64?) -> String {
        length.map { ByteText.count($0, "byte") } ?? "length unknown"
    }
}
