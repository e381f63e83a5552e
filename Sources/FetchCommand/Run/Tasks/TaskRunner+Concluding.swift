import Glibc
import URLLoading

// Reports at the end of a task.
extension TaskRunner {
    /// Writes the last reports, except that of `--write-out`; an error may change the outcome.
    func conclude(_ ended: TaskOutcome, _ kept: ResumeData?) -> TaskOutcome {
        let outcome = keepEntityTag(ended).map(TaskOutcome.error) ?? ended
        if case .interrupted = outcome { return outcome }
        if outcome == .success, !printer.reportsSuccess {
            printer.conclude(run, outcome, kept: kept)
        } else {
            signals.allowed { printer.conclude(run, outcome, kept: kept) }
        }
        return outcome
    }

    func abandon(_ outcome: TaskOutcome, _ kept: ResumeData?) -> TaskOutcome {
        signals.allowed {
            if case .interrupted(let why) = outcome {
                printer.interrupted(run, why, kept)
            } else {
                printer.conclude(run, .timeLimit(delegate.session.maxTime), kept: kept)
            }
        }
        return outcome
    }

    /// Prints the report of `--write-out`, after the body.
    func report(_ outcome: TaskOutcome) async -> TaskOutcome {
        guard let writeOut = delegate.reports.writeOut else { return outcome }
        if case .interrupted = outcome { return outcome }
        let status = outcome.exitStatus
        let device: String? =
            if case .device(let path) = plan.kind.destination { path } else { nil }
        let report = TransferReport(
            url: plan.address.redacted,
            number: number,
            exitCode: status.rawValue,
            errorMessage: outcome.words,
            fileName: run.get(\.naming.saved) ?? device,
            metrics: run.get(\.attempt.metrics)
        )
        do {
            try await writeOut.print(report, run.waiter)
            return outcome
        } catch let interruption as TaskOutcome {
            return interruption
        } catch is OutputClosed {
            return .outputClosed
        } catch {
            printer.error("--write-out: " + Printable.text("\(error)"))
            let isMoreSevere = ExitStatus.moreSevere(status, .fileIO) != status
            return isMoreSevere ? .error(URLError(.cannotWriteToFile)) : outcome
        }
    }

    /// Saves the entity tag for `--etag-save`, which a 304 may omit; returns the error.
    private func keepEntityTag(_ outcome: TaskOutcome) -> URLError? {
        guard let place = delegate.reports.entityTag else { return nil }
        let tag = run.get(\.entityTag)
        switch outcome {
        case .success: break
        case .notModified where tag != nil: break
        default: return nil
        }
        var failure: URLError?
        // A FIFO may have no reader yet, so this may block.
        signals.allowed {
            do {
                try EntityTagFile.write(tag, to: place, besides: delegate.streams)
            } catch is OutputClosed {
                // The body was delivered, so a closed reader is not an error.
            } catch {
                failure = error as? URLError ?? URLError(.cannotWriteToFile)
            }
        }
        return failure
    }
}
