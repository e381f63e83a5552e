import Glibc
import URLLoading

// What is printed of a task when it is over.
extension TaskRunner {
    /// Prints what `--write-out` asks for, after the body.
    ///
    /// - Parameter outcome: how the task ended.
    /// - Returns: what the task comes to.
    func report(_ outcome: TaskOutcome) -> TaskEnd {
        let status = outcome.exitStatus
        guard let writeOut = delegate.reports.writeOut else { return .status(status) }
        let state = run.current
        let report = TransferReport(
            url: run.plan.address.redacted,
            number: number,
            exitCode: status.rawValue,
            errorMessage: outcome.words,
            fileName: state.savedPath ?? run.plan.kind.devicePath,
            metrics: state.metrics
        )
        var end = TaskEnd.status(status)
        signals.allowed(on: STDOUT_FILENO) {
            do {
                try writeOut.print(report)
            } catch is OutputClosed {
                end = .interrupted(.signal(SIGPIPE))
            } catch {
                printer.error("--write-out: " + Printable.text("\(error)"))
                end = .status(ExitStatus.graver(status, .fileIO))
            }
        }
        return end
    }
}

// What is kept of it for the next time.
extension TaskRunner {
    /// Keeps the entity tag of what was fetched, where `--etag-save` asks for that.
    ///
    /// An answer that there is nothing new need not repeat the tag, which then stays.
    ///
    /// - Parameter outcome: how the task ended.
    /// - Returns: why the tag cannot be kept.
    func keepEntityTag(_ outcome: TaskOutcome) -> URLError? {
        guard let place = delegate.reports.entityTag else { return nil }
        let tag = run.get(\.entityTag)
        switch outcome {
        case .success: break
        case .notModified where tag != nil: break
        default: return nil
        }
        switch place {
        case .file(let file), .automatic(let file):
            guard let saved = run.get(\.savedPath), let own = FilePlace(ofFile: file.path),
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
                // What does not want to read it has the body all the same.
            } catch {
                failure = error as? URLError ?? URLError(.cannotWriteToFile)
            }
        }
        return failure
    }
}

extension TaskOutcome {
    /// What went wrong, for people; `nil` where nothing did.
    var words: String? {
        switch self {
        case .success, .notModified, .kept, .outputClosed: nil
        case .error(let error): error.code.redacted(error.localizedDescription)
        case .timeLimit: "timed out: --max-time ran out"
        case .status(let status): HeadText.status(status)
        case .policy(let words), .unproven(let words, _): words
        }
    }
}

extension TaskKind {
    /// What the body is written to that is neither a file to be nor standard output.
    fileprivate var devicePath: String? {
        if case .device(let path) = destination { path } else { nil }
    }
}
