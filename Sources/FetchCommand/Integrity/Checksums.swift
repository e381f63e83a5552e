import URLLoading

/// The expected digests of a run; a list at a URL is fetched once, by the first task.
@MainLoop
final class Checksums {
    private enum State {
        case unknown
        /// One task fetches the list, and these wait.
        case loading([Waiter])
        case known(ChecksumList, name: String)
        case failed(TaskOutcome)
    }

    private let plan: ChecksumPlan
    private var state = State.unknown

    nonisolated init(_ plan: ChecksumPlan) { self.plan = plan }

    /// Whether a list must be fetched before a task's expected digest is known.
    func mustLoad(for plan: TaskPlan) -> Bool {
        guard case .remote = self.plan, plan.expected == nil else { return false }
        switch state {
        case .known, .failed: return false
        case .unknown, .loading: return true
        }
    }

    /// The expected digest, once the list is fetched; throws the task's outcome if there is none.
    func find(for plan: TaskPlan) throws(TaskOutcome) -> ExpectedDigest? {
        if let expected = plan.expected { return expected }
        switch (self.plan, state) {
        case (.none, _): return nil
        case (.digest(let expected), _): return expected
        case (.list(let list, let name), _), (.remote, .known(let list, let name)):
            return try mapError(list.expected(for: plan)) { (error: ChecksumList.LookupError) in
                TaskOutcome.unproven("--checksum-from: \(name) \(error.words)", .integrity)
            }
        case (.remote, .failed(let outcome)): throw outcome
        case (.remote, .unknown), (.remote, .loading):
            throw .unproven("--checksum-from was cancelled", .integrity)
        }
    }

    /// Fetches the list, or waits until another task has fetched it or failed.
    func load(for runner: TaskRunner) async throws(TaskOutcome) {
        guard case .remote(let source) = plan else { return }
        while true {
            switch state {
            case .known, .failed: return
            case .loading(let waiting):
                let waiter = Waiter(after: runner.run.waiter)
                state = .loading(waiting + [waiter])
                let wake = await waiter.wait(until: runner.deadline)
                if case .interruption(let why) = wake { throw .interrupted(why) }
                if wake == .late { return }
            case .unknown:
                state = .loading([])
                var interruption: TaskOutcome?
                let found: State
                do throws(TaskOutcome) {
                    let list = try await fetch(source, runner)
                    found = .known(list, name: source.address.redacted)
                } catch {
                    if case .interrupted = error { interruption = error }
                    found = interruption == nil ? .failed(error) : .unknown
                }
                guard case .loading(let waiting) = state else { return }
                state = found
                for waiter in waiting { waiter.ring() }
                if let interruption { throw interruption }
            }
        }
    }

    /// Fetches a list; a redirect from TLS to plain HTTP is refused, as it could be changed there.
    private func fetch(
        _ source: TaskPlan,
        _ runner: TaskRunner
    ) async throws(TaskOutcome) -> ChecksumList {
        let flag = "--checksum-from: \(source.address.redacted)"
        var request = source.request
        // A stored list may be older than the file.
        if request.cachePolicy == .useProtocolCachePolicy {
            request.cachePolicy = .reloadRevalidatingCacheData
        }
        let bounded = BoundedRequest(
            of: runner,
            for: TaskRun(source, waiter: Waiter(after: runner.run.waiter)),
            limit: ChecksumList.sizeLimit,
            staysInTLS: true
        ) { response, _ in response.statusCode == 200 }
        let late = TaskOutcome.unproven("\(flag): --max-time ran out", .timeLimit)
        let reply: BoundedRequest.Reply
        do throws(TaskOutcome) {
            reply = try await bounded.send(request)
        } catch {
            guard case .timeLimit = error else { throw error }
            throw late
        }
        if let target = reply.insecureTarget {
            let words =
                "redirected to plain HTTP, to \(Printer.shown(target)), which is not followed"
            throw .unproven("\(flag): \(words)", .localPolicy)
        }
        if let status = (reply.response as? HTTPURLResponse)?.statusCode, status != 200 {
            let exit = status >= 400 ? TaskOutcome.status(status).exitStatus : .protocolError
            throw .unproven("\(flag): \(HeadText.status(status))", exit)
        }
        if reply.isTooLong {
            let limit = ByteText.size(Int64(ChecksumList.sizeLimit))
            throw .unproven("\(flag): has more than \(limit)", .integrity)
        }
        if let error = reply.error {
            // The session's own limit ends the request a little before the deadline.
            if error.code == .timedOut, let limit = runner.delegate.session.maxTime,
                runner.run.started + limit <= .now
            {
                throw late
            }
            throw .unproven("\(flag): \(error.words)", ExitStatus(error.code))
        }
        return ChecksumList(reply.bytes)
    }
}

extension ChecksumList {
    func expected(for plan: TaskPlan) throws(LookupError) -> ExpectedDigest {
        let path = plan.address.path
        return try expected(
            path: PercentCoding.decode(path) ?? String(path),
            name: plan.kind.possibleFile?.name
        )
    }
}

enum ChecksumPlan: Sendable {
    case none
    case digest(ExpectedDigest)
    /// A list that was read, with its name in messages.
    case list(ChecksumList, name: String)
    /// A list that must be fetched first.
    case remote(TaskPlan)

    var isNone: Bool { if case .none = self { true } else { false } }

    /// Validates the flags, and reads the file that they name.
    ///
    /// `--user` and `--password` are also for a list at the origin of a URL of the command line.
    init(_ options: Options, _ authentication: AuthenticationPlan) throws(UsageError) {
        if let expected = options.checksum {
            self = .digest(expected)
            return
        }
        guard let source = options.checksumSource else {
            self = .none
            return
        }
        switch source {
        case .address(let address):
            let firstOrigin = options.urls.first.flatMap { try? WebAddress($0) }?.origin
            var authentication = authentication
            let origins = options.urls.compactMap { try? WebAddress($0).origin }
            if address.origin.map(origins.contains) != true {
                (authentication.user, authentication.password) = (nil, nil)
            }
            let identity = try authentication.identity(at: address, firstOrigin: firstOrigin)
            self = .remote(
                try TaskPlan(listAt: address, options, identity, firstOrigin: firstOrigin)
            )
        case .read(let file):
            let list = ChecksumList(try file.bytes(limit: ChecksumList.sizeLimit))
            self = .list(list, name: file.path.map(Printable.text) ?? "standard input")
        }
    }
}

extension TaskPlan {
    /// A plain GET; it has the user's header fields only if the list has the first URL's origin.
    fileprivate convenience init(
        listAt address: WebAddress,
        _ options: Options,
        _ identity: Identity,
        firstOrigin: Origin?
    ) throws(UsageError) {
        var own = Options()
        own.userAgent = options.userAgent
        if options.refusesCaches { own.cachePolicy = options.cachePolicy }
        if address.origin == firstOrigin {
            own.headers = options.headers.filter { edit in
                !["Range", "If-Range", "Accept"].contains {
                    HTTPHeaderFields.areSame($0, edit.name)
                } && !edit.name.lowercased().hasPrefix("if-")
                    && !edit.name.lowercased().hasPrefix("content-")
            }
        }
        try self.init(
            own,
            TaskKind(destination: .standardOutput),
            address: address,
            body: .none,
            header: RequestHeader(own, body: .none),
            identity: identity
        )
    }
}
