import FoundationEssentials
import URLLoading

// A file of which nothing but its time is known may have been left unfinished by whoever made it,
// later than the server's has changed: its length has to be the server's, too.
extension TaskRunner {
    /// What came of comparing lengths.
    enum SizeFinding {
        /// They are the same, or the server does not tell.
        case same
        case differs
        case failed(URLError)
        /// The server does not say it now.
        case status(Int)
        case interrupted(Interruption)
    }

    /// Waits until no other task of the run fetches the file: what that leaves is what the server's is
    /// compared with.
    ///
    /// - Parameter file: the file to be.
    /// - Returns: how the task ends, where it does.
    func holdName(of file: FileDestination) async -> TaskEnd? {
        guard run.get(\.heldName) == nil else { return nil }
        let waiter = Waiter()
        while !delegate.names.take(file.path, orRing: waiter) {
            switch await waiter.wait(until: deadline) {
            case .bell: break
            case .interruption(let why): return .interrupted(why)
            case .late: return await conclude(.timeLimit(settings.maxTime ?? .zero), nil)
            }
        }
        run.change { $0.heldName = file.path }
        return nil
    }

    /// Whether the server was asked by the file's time alone.
    var isUnproven: Bool {
        guard let file = plan.kind.file, !run.get(\.fetchesAnyway) else { return false }
        return plan.condition(for: file)?.isUnproven ?? false
    }

    /// Asks for the length of the server's file, which an answer of 304 leaves out.
    func compareSize() async -> SizeFinding {
        guard let file = plan.kind.file, let status = FileStatus(file.path),
            var request = URLRequest(plan)
        else { return .same }
        request.httpMethod = "HEAD"
        let probe = SizeProbe(delegate) { [waiter = run.waiter] in waiter.ring() }
        let task = session.dataTask(with: request)
        task.delegate = probe
        delegate.add(run, for: task)
        defer { delegate.remove(task) }
        task.resume()
        switch await run.waiter.wait(until: deadline) {
        case .bell: break
        case .interruption(let why): return .interrupted(why)
        case .late:
            task.cancel()
            // Its end rings the bell, which is for nobody else.
            _ = await run.waiter.wait(until: .now + .seconds(1))
            return .failed(URLError(.timedOut, detail: "the whole took too long"))
        }
        if let status = probe.passingStatus { return .status(status) }
        if let error = probe.error { return .failed(error) }
        guard let length = probe.length, length != status.size else { return .same }
        signals.allowed { printer.otherSize(run, file.path, status.size, length) }
        return .differs
    }
}
