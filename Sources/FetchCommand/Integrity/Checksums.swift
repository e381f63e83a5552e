import URLLoading

/// Says what the bodies of a run must come to; a list that is fetched is fetched once, by the first
/// task that asks.
@MainLoop
final class Checksums {
    /// What comes of asking.
    enum Finding {
        case expected(ExpectedDigest?)
        /// It cannot be found out; in words, and what the task comes to.
        case lacks(String, ExitStatus)
        case interrupted(Interruption)
    }

    private enum State {
        case unknown
        /// Somebody fetches it, and these wait.
        case loading([Waiter])
        case known(ChecksumList, name: String)
        case failed(String, ExitStatus)
    }

    private let plan: ChecksumPlan
    private var state = State.unknown

    nonisolated init(_ plan: ChecksumPlan) {
        self.plan = plan
    }

    /// What the body of a task must come to.
    ///
    /// - Parameter runner: of the task.
    /// - Returns: the checksum, or why there is none.
    func find(for runner: TaskRunner) async -> Finding {
        if let expected = runner.plan.expected { return .expected(expected) }
        switch plan {
        case .none: return .expected(nil)
        case .digest(let expected): return .expected(expected)
        case .list(let list, let name): return Self.look(for: runner.plan, in: list, name)
        case .remote(let source):
            if let why = await load(source, runner) { return .interrupted(why) }
            switch state {
            case .known(let list, let name): return Self.look(for: runner.plan, in: list, name)
            case .failed(let words, let status): return .lacks(words, status)
            case .unknown, .loading: return .lacks("--checksum-from was given up", .integrity)
            }
        }
    }

    /// Waits until the list is there, or will not come.
    private func load(_ source: TaskPlan, _ runner: TaskRunner) async -> Interruption? {
        while true {
            switch state {
            case .known, .failed: return nil
            case .loading(let waiting):
                let waiter = Waiter()
                state = .loading(waiting + [waiter])
                let wake = await waiter.wait(until: runner.deadline)
                if case .interruption(let why) = wake { return why }
                if wake == .late { return nil }
            case .unknown:
                state = .loading([])
                let fetched = await runner.fetch(source)
                guard case .loading(let waiting) = state else { return nil }
                switch fetched {
                case .success(let list): state = .known(list, name: source.address.redacted)
                case .failure(.failed(let words, let status)): state = .failed(words, status)
                case .failure(.interrupted): state = .unknown
                }
                for waiter in waiting { waiter.ring() }
                if case .failure(.interrupted(let why)) = fetched { return why }
            }
        }
    }

    private static func look(
        for plan: TaskPlan,
        in list: ChecksumList,
        _ name: String
    ) -> Finding {
        do throws(ChecksumList.Lack) {
            return .expected(try list.expected(for: plan))
        } catch {
            return .lacks("--checksum-from: \(name) \(error.words)", .integrity)
        }
    }
}

extension ChecksumList {
    /// What the body of a task must come to.
    func expected(for plan: TaskPlan) throws(Lack) -> ExpectedDigest {
        let path = plan.address.path
        return try expected(
            path: PercentCoding.decode(path) ?? String(path),
            name: plan.kind.possibleFile?.name
        )
    }
}

/// What bodies have to come to.
enum ChecksumPlan: Equatable, Sendable {
    /// Whatever they come to.
    case none
    case digest(ExpectedDigest)
    /// What a list says, which has this name in messages.
    case list(ChecksumList, name: String)
    /// What a list says that is fetched first.
    case remote(TaskPlan)
}

extension ChecksumPlan {
    /// Takes the flags over, and reads the file that they name.
    ///
    /// - Parameters:
    ///   - options: the command line.
    ///   - authentication: who one is: the first URL's origin is told that by a list of its own
    ///     too, and no other.
    /// - Throws: where the file cannot be read.
    init(
        _ options: Options,
        _ authentication: AuthenticationPlan
    ) throws(PlanError) {
        if let expected = options.checksum {
            self = .digest(expected)
            return
        }
        guard let source = options.checksumSource else {
            self = .none
            return
        }
        let path: String
        switch source {
        case .address(let address):
            let home = options.urls.first.flatMap { try? WebAddress($0) }?.origin
            let identity = try authentication.identity(at: address, home: home)
            self = .remote(TaskPlan(listAt: address, options, identity, home: home))
            return
        case .file(let named): path = named
        case .standardInput: path = "/dev/stdin"
        }
        do throws(FileFailure) {
            let bytes = try FileContent.bytes(of: path, limit: ChecksumList.sizeLimit)
            self = .list(ChecksumList(bytes), name: source.name)
        } catch {
            throw .file(error)
        }
    }
}

extension TaskPlan {
    /// Plans the fetching of a list of checksums: a plain GET, with the user's own header only
    /// where it goes to the same origin as the first URL.
    fileprivate init(
        listAt address: WebAddress,
        _ options: Options,
        _ identity: Identity,
        home: Origin?
    ) {
        var own = Options()
        own.userAgent = options.userAgent
        if options.refusesCaches { own.cachePolicy = options.cachePolicy }
        if address.origin == home {
            own.headers = options.headers.filter { edit in
                !["Range", "If-Range", "Accept"].contains {
                    HTTPHeaderFields.areSame($0, edit.name)
                } && !edit.name.lowercased().hasPrefix("if-")
                    && !edit.name.lowercased().hasPrefix("content-")
            }
        }
        self.init(
            own,
            address: address,
            body: .none,
            header: RequestHeader(own, body: .none),
            output: .standardOutput,
            identity: identity
        )
    }
}
