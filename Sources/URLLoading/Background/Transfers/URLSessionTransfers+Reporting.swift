import FoundationEssentials
import SystemPackage

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

extension URLError {
    /// Whether the disk or the user's quota is full.
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
