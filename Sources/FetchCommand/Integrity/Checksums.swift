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
