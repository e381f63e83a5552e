import FoundationEssentials
import Synchronization
import SystemPackage

// Attempts.
extension URLSessionTransfers {
    /// Begins an attempt; files are looked for only if an earlier attempt may have left some.
    func begin(_ record: BackgroundTaskRecord, mayHaveFiles: Bool) throws(URLError) {
        let number = record.identifier
        let files = files(of: number)
        if credentials.takeCancelled(number) { throw URLError(.userCancelledAuthentication) }
        if mayHaveFiles, let (file, response) = files.found() {
            report(.whole(file, response), record)
            return
        }
        if record.filing?.keepsExisting == true, record.filing?.isNamedByServer != true,
            let destination = record.destination, FilePlacing.isTaken(destination)
        {
            return report(.sent(task: number, nil))
        }
        guard let request = record.request.request else {
            throw URLError(.badURL, detail: record.request.url)
        }
        let session = try session(for: record).session.get()
        let task: URLSessionTask
        var known: Int64 = 0
        switch record.kind {
        case .download:
            let own = mayHaveFiles ? PartReclaiming.resumeData(of: files.part) : nil
            let left = record.resumeData.flatMap { try? ResumeData($0) }
            let part = own ?? left.flatMap { PartReclaiming.adopt($0, as: files.part) }
            known = part?.receivedBytes ?? 0
            task =
                part.map { session.downloadTask(with: request, continuing: $0) }
                ?? session.downloadTask(with: request)
        case .upload:
            guard let body = record.body else { throw URLError(.requestBodyStreamExhausted) }
            try body.check()
            task = session.uploadTask(with: request, fromFile: URL(filePath: body.file.path))
        }
        do throws(URLError) {
            try noteSending(record, files)
        } catch {
            task.cancel()
            throw error
        }
        counters[number, default: AttemptCounter(policy(of: record), failed: attempts(of: number))]
            .begin(at: known)
        let run = TransferRun(record, files, self.session(for: record).settings, self)
        runs[number] = run
        // A task whose resume data has no usable part starts over.
        if record.resumeData != nil, known == 0 {
            run.note { $0.startOver = DownloadStartOver.partialFileChanged.stored }
        }
        run.begin(task)
    }

    /// Hands over the part of a download that has ended; `nil` if there is none to continue.
    ///
    /// A part with a destination is left beside the destination, where a command in the foreground can
    /// continue it.
    func takePart(_ record: BackgroundTaskRecord) -> Data? {
        guard record.keepsParts, !complete.contains(record.identifier) else { return nil }
        let path = files(of: record.identifier).part
        guard var data = PartReclaiming.resumeData(of: path) else {
            // The task may not have begun: its own resume data may still be valid.
            return record.resumeData.flatMap { try? ResumeData($0) }?.returned?.encoded
        }
        if let destination = record.destination {
            return PartReclaiming.leave(
                data,
                from: path,
                beside: destination,
                replaces: record.replaces
            )?.encoded
        }
        let settings = session(for: record).settings
        let fields = record.request.request?.headerFields.fields ?? []
        let secrets = settings?.transport.secretHeaders ?? []
        data.fields = fields.filter { field in
            !OriginCrossing.isCredential(field.name, secretHeaders: secrets)
        }
        return PartReclaiming.leave(data, from: path, in: partsFolder)?.encoded
    }

    /// The attempts that have failed in a row, from the journal.
    private func attempts(of task: Int) -> Int {
        let phase = askServer { $0.journaled.machine.state.tasks[task]?.phase } ?? nil
        guard case .active(let retry?)? = phase else { return 0 }
        return retry.attempts
    }

    /// Notes that a request that must not be sent twice is about to be sent.
    ///
    /// Throws if it may have been sent before a crash, because the server may have acted on it.
    private func noteSending(
        _ record: BackgroundTaskRecord,
        _ files: TransferFiles
    ) throws(URLError) {
        let method = record.request.method ?? "GET"
        guard !RetryPolicy.mayBeRepeated(method) else { return }
        guard !files.mayHaveBeenSent else {
            throw URLError(
                .networkConnectionLost,
                detail: "it was under way when it was broken off: the server may have acted on it,"
                    + " and \(method) is not repeated then"
            )
        }
        try files.noteSent()
    }

    func ended(_ run: TransferRun, _ outcome: TryOutcome) {
        let number = run.record.identifier
        guard runs[number] === run else { return }
        runs[number] = nil
        let wasStopped = run.isStopped
        forgetSent(run, outcome, wasStopped: wasStopped)
        measure(run)
        let wasCancelled = cancelled.remove(number) != nil
        if wasCancelled { run.files.remove() }
        if !wasStopped {
            report(outcome, run.record, run)
        } else if !wasCancelled, case .whole(_, let response) = outcome {
            // The complete body is used when the task continues.
            run.files.keepHead(response)
        }
        if handovers.remove(number) != nil { handOver(number) }
        if let record = next.removeValue(forKey: number) { tryToBegin(record) }
        finishIfDone()
    }

    /// Reports a task's metrics so far, with those of earlier attempts.
    private func measure(_ run: TransferRun) {
        let record = run.record
        guard let latest = run.state.withLock({ $0.metrics }) else { return }
        let secrets = session(for: record).settings?.transport.secretHeaders ?? []
        var stored = StoredMetrics(latest, made: record.made) { name in
            OriginCrossing.isCredential(name, secretHeaders: secrets)
        }
        if let earlier = metrics[record.identifier] { stored.prepend(earlier) }
        metrics[record.identifier] = stored
        guard let text = stored.stored else { return }
        report(.metricsCollected(task: record.identifier, metrics: text))
    }

    /// Removes the note of a sent request, if the server cannot have acted on the request.
    private func forgetSent(_ run: TransferRun, _ outcome: TryOutcome, wasStopped: Bool) {
        switch outcome {
        case .challenged: run.files.forgetSent()
        // A request with an incomplete body is incomplete
        // ([RFC 9112 §8](https://www.rfc-editor.org/rfc/rfc9112#section-8)).
        case .failure where wasStopped && !run.hasSentAll: run.files.forgetSent()
        case .failure(let error, _) where error.failedRequest?.mayHaveReachedServer == false:
            run.files.forgetSent()
        default: break
        }
    }
}

// Results.
extension URLSessionTransfers {
    /// Reports the result of an attempt to the state machine, or retries.
    func report(
        _ outcome: TryOutcome,
        _ record: BackgroundTaskRecord,
        _ run: TransferRun? = nil
    ) {
        let number = record.identifier
        switch outcome {
        case .whole(let file, let response):
            forget(number)
            complete.insert(number)
            let name =
                record.filing?.isNamedByServer == true
                ? response?.urlResponse.flatMap(conventions.name) : nil
            report(.received(task: number, file: file, response, name: name))
        case .empty(let response):
            forget(number)
            report(.sent(task: number, response))
        case .challenged(let challenge):
            report(.challenged(task: number, challenge))
        case .status(let response):
            let asked = RetryAfter.wait(response.headerFields, now: Double(WallClock.now) / 1e6)
            let status = response.statusCode
            let words = "the server responded with status \(status)"
            let error = URLError(.badServerResponse, detail: words)
            if tryAgain(record, run, .status(status, retryAfter: asked), error) { return }
            forget(number)
            _ = takePart(record)
            report(.sent(task: number, StoredResponse(response)))
        case .failure(let error, let response):
            switch error.code {
            case .clientCertificateRejected, .clientCertificateRequired:
                credentials.forgetIdentities()
            default: break
            }
            if tryAgain(record, run, .error(error), error) { return }
            forget(number)
            if record.waitsForDiskSpace, error.isDiskSpaceError {
                report(.blocked(task: number, StoredError(error.withoutResumeData)))
                return
            }
            var failed = StoredError(error.withoutResumeData)
            failed.resumeData = takePart(record)
            report(.failed(task: number, failed, response))
        }
    }

    /// Reports a retry, if the policy allows one; returns whether it does.
    private func tryAgain(
        _ record: BackgroundTaskRecord,
        _ run: TransferRun?,
        _ event: RetryFailure.Event,
        _ error: URLError
    ) -> Bool {
        let number = record.identifier
        let now = WallClock.now
        let kept = error.downloadTaskResumeData.flatMap { try? ResumeData($0) }
        var counter = counters[number] ?? AttemptCounter(policy(of: record))
        let decision = counter.decision(
            on: RetryFailure(event: event, method: run?.method ?? "GET"),
            reached: kept?.receivedBytes ?? 0,
            timeLeft: record.deadline.map { .microseconds($0.subtracting(clamping: now)) }
        )
        counters[number] = counter
        guard case .retry(let wait, _) = decision else { return false }
        let retry = BackgroundRetry(
            attempts: counter.failed,
            until: now + Int64(wait.duration / .microseconds(1)),
            error: StoredError(error.withoutResumeData)
        )
        report(.retry(task: number, retry))
        return true
    }
}

extension RetryPolicy {
    /// The policy of a background session: retries until the task's deadline, or `tries` in a row.
    ///
    /// Refused connections are retried too: the server may be starting.
    static func background(tries: Int?) -> RetryPolicy {
        RetryPolicy(tries: tries, longestWait: .seconds(300), retriesRefused: true)
    }
}

extension URLError {
    var isDiskSpaceError: Bool {
        systemError.map { [Errno.noSpace, .diskQuotaExceeded].contains(Errno(rawValue: $0)) }
            ?? false
    }

    /// The error without resume data: the part is in the session's folder, where other programs cannot use
    /// it.
    fileprivate var withoutResumeData: URLError {
        var error = self
        error.downloadTaskResumeData = nil
        return error
    }
}
