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
        case interrupted(Interruption)
    }

    /// Whether the server was asked by the file's time alone.
    var isUnproven: Bool {
        guard let file = plan.kind.file, !run.current.fetchesAnyway else { return false }
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
        if let error = probe.error { return .failed(error) }
        guard let length = probe.length, length != status.size else { return .same }
        signals.allowed { printer.otherSize(run, file.path, status.size, length) }
        return .differs
    }
}
