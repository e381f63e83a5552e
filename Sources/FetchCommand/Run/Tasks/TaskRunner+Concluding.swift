import Glibc
import URLLoading

// What is written and said of a task when it is over.
extension TaskRunner {
    /// Writes and says what remains to be.
    ///
    /// - Parameters:
    ///   - ended: how the task has ended.
    ///   - kept: what is left of a download.
    /// - Returns: what it comes to, with what has failed only now.
    func conclude(_ ended: TaskOutcome, _ kept: ResumeData?) -> TaskOutcome {
        let outcome = keepEntityTag(ended).map(TaskOutcome.error) ?? ended
        if case .interrupted = outcome { return outcome }
        if outcome == .success, !printer.tellsSuccess {
            printer.conclude(run, outcome, kept: kept)
        } else {
            signals.allowed { printer.conclude(run, outcome, kept: kept) }
        }
        return report(outcome)
    }

    /// Says why the task is left though it is not over.
    func leave(_ outcome: TaskOutcome, _ kept: ResumeData?) -> TaskOutcome {
        signals.allowed {
            if case .interrupted(let why) = outcome {
                printer.interrupted(run, why, kept)
            } else {
                printer.failure(run, .timeLimit(delegate.session.maxTime ?? .zero), kept: kept)
            }
        }
        return outcome
    }

    /// Prints what `--write-out` asks for, after the body.
    ///
    /// - Parameter outcome: how the task ended.
    /// - Returns: what the task comes to.
    private func report(_ outcome: TaskOutcome) -> TaskOutcome {
        guard let writeOut = delegate.reports.writeOut else { return outcome }
        let status = outcome.exitStatus
        let report = TransferReport(
            url: plan.address.redacted,
            number: number,
            exitCode: status.rawValue,
            errorMessage: outcome.words,
            fileName: run.get(\.naming.saved) ?? plan.kind.devicePath,
            metrics: run.get(\.attempt.metrics)
        )
        return signals.allowed(on: STDOUT_FILENO) {
            do {
                try writeOut.print(report)
                return outcome
            } catch is OutputClosed {
                return .outputClosed
            } catch {
                printer.error("--write-out: " + Printable.text("\(error)"))
                let isGraver = ExitStatus.graver(status, .fileIO) != status
                return isGraver ? .error(URLError(.cannotWriteToFile)) : outcome
            }
        }
    }

    /// Keeps the entity tag of what was fetched, where `--etag-save` asks for that.
    ///
    /// A response that there is nothing new need not repeat the tag, which then stays.
    ///
    /// - Parameter outcome: how the task ended.
    /// - Returns: why the tag cannot be kept.
    private func keepEntityTag(_ outcome: TaskOutcome) -> URLError? {
        guard let place = delegate.reports.entityTag else { return nil }
        let tag = run.get(\.entityTag)
        switch outcome {
        case .success: break
        case .notModified where tag != nil: break
        default: return nil
        }
        switch place {
        case .file(let file), .automatic(let file):
            guard let saved = run.get(\.naming.saved), let own = FilePlace(ofFile: file.path),
                FilePlace(ofFile: saved) == own
            else { break }
            return URLError(
                .cannotCreateFile,
                detail: "\(file.path) is the body that was saved; --etag-save needs another name"
            )
        case .device, .standardOutput: break
        }
        var failure: URLError?
        // A FIFO may have no reader yet.
        signals.allowed {
            do {
                try EntityTagFile.write(tag, to: place, besides: delegate.streams)
            } catch is OutputClosed {
                // A reader that has gone has the body all the same.
            } catch {
                failure = error as? URLError ?? URLError(.cannotWriteToFile)
            }
        }
        return failure
    }
}

extension TaskKind {
    /// What the body is written to that is neither a file to be nor standard output.
    fileprivate var devicePath: String? {
        if case .device(let path) = destination { path } else { nil }
    }
}
