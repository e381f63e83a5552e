import FoundationEssentials
import URLLoading

// What a body must come to is known before it is asked for; what is there already is compared too.
extension TaskRunner {
    /// Finds out what the body must come to.
    ///
    /// - Returns: how the task ends, where that cannot be found out; `nil`: it goes on.
    func expectDigest() async -> TaskEnd? {
        switch await delegate.checksums.find(for: self) {
        case .expected(nil): return nil
        case .expected(let expected?):
            do throws(URLError) {
                try run.note(expected: expected)
                return nil
            } catch {
                return await conclude(.error(error), nil)
            }
        case .lacks(let words, let status): return await conclude(.unproven(words, status), nil)
        case .interrupted(let why): return .interrupted(why)
        }
    }

    /// Fetches a list of checksums.
    func fetch(_ source: TaskPlan) async -> Result<ChecksumList, ChecksumFetch.Failure> {
        let name = source.address.redacted
        guard var request = URLRequest(source) else {
            return .failure(.failed("--checksum-from: \(name) is no URL", .usage))
        }
        // One that the cache has may be of another day than the file.
        if request.cachePolicy == .useProtocolCachePolicy {
            request.cachePolicy = .reloadRevalidatingCacheData
        }
        // A bell of its own: one that rings late must not be taken for the end of what follows.
        let waiter = Waiter()
        let fetch = ChecksumFetch(delegate) { waiter.ring() }
        let task = session.dataTask(with: request)
        task.delegate = fetch
        delegate.add(TaskRun(source), for: task)
        defer { delegate.remove(task) }
        task.resume()
        switch await waiter.wait(
            until: deadline ?? .now + .seconds(1 << 30),
            for: { fetch.isOver }
        ) {
        case .bell: break
        case .interruption(let why):
            task.cancel()
            return .failure(.interrupted(why))
        case .late:
            task.cancel()
            return .failure(.failed("--checksum-from: \(name): --max-time ran out", .timeLimit))
        }
        return Result { () throws(ChecksumFetch.Failure) in try fetch.list(name) }
    }

    /// Looks more closely at a file that the server says it has no other of.
    func lookAgain() async -> SizeFinding {
        if isUnproven {
            let finding = await compareSize()
            guard case .same = finding else { return finding }
        }
        guard let file = plan.kind.file else { return .same }
        return await compareDigest(file.path)
    }

    /// Whether there is anything to look at.
    var mustLookAgain: Bool {
        isUnproven || (run.get(\.expected) != nil && !run.get(\.fetchesAnyway))
    }

    /// Compares a file that is there with what it must come to.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isKept: whether it stays, whatever it comes to: then a difference is an error.
    /// - Returns: what was found; never `differs` for one that stays.
    func compareDigest(_ path: String, isKept: Bool = false) async -> SizeFinding {
        guard let expected = run.get(\.expected) else { return .same }
        let found = Found()
        let waiter = Waiter()
        do throws(URLError) {
            let digest = try FileDigest(of: path, expected.algorithm)
            defer { digest.stop() }
            digest.compare(with: expected) { result in
                found.set(result)
                waiter.ring()
            }
            let limit = deadline ?? .now + .seconds(1 << 30)
            switch await waiter.wait(until: limit, for: { found.result != nil }) {
            case .bell: break
            case .interruption(let why): return .interrupted(why)
            case .late: throw URLError(.timedOut, detail: "while \(path) was compared")
            }
            guard let mismatch = try found.result?.get() else { return .same }
            if isKept {
                var error = URLError(mismatch)
                error.detail = "\(path) is there already and stays: \(mismatch)"
                throw error
            }
            signals.allowed { printer.otherDigest(run, path, mismatch) }
            return .differs
        } catch {
            return .failed(error)
        }
    }
}
