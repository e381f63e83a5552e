import Dispatch
import FoundationEssentials
import URLLoading

// Existing files, and expected digests.
extension TaskRunner {
    /// Finds the expected digest before the body is requested.
    func expectDigest() throws(TaskOutcome) {
        guard let expected = try delegate.checksums.find(for: plan) else { return }
        try mapError(run.note(expected: expected), TaskOutcome.error)
    }

    /// Checks that the file can be created, and examines an existing part, if any.
    ///
    /// `nil` if the file's name must be reserved first.
    func examine() throws(TaskOutcome) -> ExistingPart? {
        if let words = delegate.session.refusal(of: plan.address.scheme) { throw .policy(words) }
        guard case .file(let file) = plan.kind.destination else { return .nothing }
        if file.isKept { throw .kept(path: file.path, .found) }
        if file.isTimestamped, run.get(\.naming.locked) == nil { return nil }
        try mapError(delegate.names.checkFolder(of: file), TaskOutcome.error)
        if file.ifExists == .replace || file.continues {
            try mapError(delegate.streams.check(file.path, isReplaced: true), TaskOutcome.error)
        }
        guard file.continues, let url = plan.url else { return .nothing }
        return ExistingPart(of: file, url: url)
    }

    /// Waits until no other task of the run fetches the same file, and reserves its name.
    func reserveName(of file: FileDestination) async throws(TaskOutcome) {
        let waiter = Waiter(after: run.waiter)
        while !delegate.names.take(file.path, orRing: waiter) {
            switch await waiter.wait(until: deadline) {
            case .bell: break
            case .interruption(let why): throw .interrupted(why)
            case .late: throw .timeLimit(delegate.session.maxTime)
            }
        }
        run.change { $0.naming.locked = file.path }
    }

    func compareEnd(of part: UnprovenPart) async throws(TaskOutcome) -> PartComparison.Finding {
        let comparison = try mapError(PartComparison(part), TaskOutcome.error)
        let bounded = BoundedRequest(of: self, limit: comparison.bytes.count) {
            [run] response, task in
            let finding = comparison.finding(on: response)
            // Only the head has the server's Retry-After.
            if case .status? = finding { run.decideRetry(after: response, task) }
            return finding == nil
        }
        return try comparison.finding(on: await bounded.send(comparison.asking(plan.request)))
    }

    /// Makes the compared bytes the file's part; `nil` if it was removed or changed meanwhile.
    func take(
        _ part: UnprovenPart,
        _ evidence: PartComparison.Evidence
    ) async throws(TaskOutcome) -> ResumeData? {
        guard let file = plan.kind.file, let url = plan.url else { return nil }
        if part.path == file.path {
            // A large copy takes time, so it runs on a queue while other tasks continue.
            let limit = delegate.session.maxTime.map { run.started + $0 }
            let copied = AsyncResult<Result<Void, URLError>>()
            let waiter = Waiter(after: run.waiter)
            DispatchQueue(label: "PartCopy").async {
                copied.set(
                    Result { () throws(URLError) in
                        let place = PartFile.path(of: part.path)
                        try PartCopy.make(of: part, at: place, until: limit)
                    }
                )
                waiter.ring()
            }
            let wake = await waiter.wait(until: nil) { copied.value != nil }
            if case .interruption(let why) = wake { throw .interrupted(why) }
            try mapError(copied.value?.get(), TaskOutcome.error)
        }
        return part.resumeData(url, evidence, for: file)
    }
}

// Files that are unchanged on the server.
extension TaskRunner {
    /// Whether the existing file is wrong, although the server sent 304.
    func differs() async throws(TaskOutcome) -> Bool {
        guard let file = plan.kind.file else { return false }
        // If only the file's time is known, another program may have left the file incomplete after
        // the server's last change. So the lengths are compared too.
        if plan.condition(for: file)?.isUnproven == true, try await differsInLength(file) {
            return true
        }
        return try await differsInDigest(file.path)
    }

    /// Compares the file's length with the server's, which a 304 omits and a HEAD request returns.
    private func differsInLength(_ file: FileDestination) async throws(TaskOutcome) -> Bool {
        guard let status = FileStatus(file.path) else { return false }
        var request = plan.request
        request.httpMethod = "HEAD"
        let statuses = delegate.session.retries.statuses
        let bounded = BoundedRequest(of: self, limit: 0) { [run] response, task in
            if statuses.contains(response.statusCode) { run.decideRetry(after: response, task) }
            return true
        }
        let reply = try await bounded.send(request)
        let response = reply.response as? HTTPURLResponse
        // A retry may succeed; after another error the length remains unknown.
        if let status = response?.statusCode, statuses.contains(status) { throw .status(status) }
        if let error = reply.error { throw .error(error) }
        guard let response, response.statusCode == 200 else { return false }
        let length = response.expectedContentLength
        guard length >= 0, length != status.size else { return false }
        let sizes = "\(status.size) of \(length) bytes"
        signals.allowed {
            printer.note(run, "\(Printable.text(file.path)) has \(sizes), and is fetched again")
        }
        return true
    }

    /// Whether a file differs from the expected digest; an error if it is kept in any case.
    func differsInDigest(_ path: String, isKept: Bool = false) async throws(TaskOutcome) -> Bool {
        guard let expected = run.get(\.expected) else { return false }
        // A server may answer 304 although there is no file.
        guard isKept || FileFacts.exists(path) else { return true }
        let found = AsyncResult<Result<DigestMismatch?, URLError>>()
        let waiter = Waiter(after: run.waiter)
        let digest = try mapError(FileDigest(of: path, expected.algorithm), TaskOutcome.error)
        defer { digest.stop() }
        digest.compare(with: expected) { result in
            found.set(result)
            waiter.ring()
        }
        switch await waiter.wait(until: deadline, for: { found.value != nil }) {
        case .bell: break
        case .interruption(let why): throw .interrupted(why)
        case .late: throw .error(URLError(.timedOut, detail: "while \(path) was compared"))
        }
        guard let mismatch = try mapError(found.value?.get(), TaskOutcome.error) else {
            return false
        }
        guard isKept else {
            let words = "does not match (\(mismatch)), and is downloaded again"
            signals.allowed { printer.note(run, "\(Printable.text(path)) \(words)") }
            return true
        }
        var error = URLError(mismatch)
        error.detail = "\(path) exists and is kept: \(mismatch)"
        throw .error(error)
    }
}
