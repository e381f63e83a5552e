import FoundationEssentials
import URLLoading

// Messages about a task.
extension Printer {
    /// Reports a response that comes from the cache, without a request to the server.
    func fromCache(_ run: TaskRun, _ response: HTTPURLResponse) {
        guard let age = response.storedAge else { return }
        note(run, "from the cache, \(ByteText.age(age)) old")
    }

    /// Reports a saved body with a content coding that the request did not accept.
    func coded(_ run: TaskRun, _ response: URLResponse) {
        let isAsked = run.plan.request.value(forHTTPHeaderField: "Accept-Encoding") != nil
        guard !isAsked, run.get(\.attempt.errorBody) == nil,
            let response = response as? HTTPURLResponse,
            let coding = response.value(forHTTPHeaderField: "Content-Encoding"),
            coding.lowercased() != "identity", !coding.isEmpty
        else { return }
        let hint = response.hasKnownCodings ? "; --compressed decodes it" : ""
        note(run, "the server sent it \(Printable.text(coding))-encoded\(hint)")
    }

    func startOver(_ run: TaskRun, _ why: String) {
        note(run, "starting over: \(Printable.text(why))")
    }

    /// Warns that the body of an error status was not saved; the status has a message of its own.
    func errorBody(_ run: TaskRun, _ error: String) {
        let words = Printable.text(UserInfo.redacted(in: error))
        warning(
            "\(run.plan.address.redacted): the error's body: \(words)",
            isQuietToo: true,
            waits: false
        )
    }

    /// A message about the part of an earlier run, which is overwritten.
    func overwritingPart(_ run: TaskRun, _ part: String, _ size: Int64) -> String {
        "\(Printable.text(part)) (\(ByteText.size(size))) is started over;"
            + " \(continuingFlags(run)) would continue it"
    }

    /// Reports an interrupted task, and the part that it left.
    func interrupted(_ run: TaskRun, _ why: Interruption, _ kept: ResumeData?) {
        guard verbosity != .quiet else { return }
        let hint = kept.flatMap { keptHint(run, $0) }.map { "\nfetch: \($0)" }
        let name = run.plan.address.redacted
        switch why {
        case .signal:
            guard let hint else { return }
            lastLine("fetch: \(name): interrupted\(hint)", .note)
        case .failEarly:
            note("\(name): cancelled, because another one failed (--fail-early)\(hint ?? "")")
        }
    }

    /// Reports a task's end in one line; `kept` is the resume data of a failed task's kept part.
    func conclude(_ run: TaskRun, _ outcome: TaskOutcome, kept: ResumeData?) {
        progress.board?.remove(run.progress)
        switch outcome {
        case .success: success(run)
        case .notModified: if isWatched { line("\(run.plan.address.redacted): not modified") }
        case .alreadyComplete(let path):
            if isWatched { line("\(Printable.text(path)): already complete") }
        // Reported without progress too, because nothing was saved.
        case .kept(let path, let why): note("\(Printable.text(path)) \(why.rawValue)")
        case .interrupted, .stuck: break
        case .error, .timeLimit, .status, .policy, .unproven: failure(run, outcome, kept)
        }
    }

    private func failure(_ run: TaskRun, _ outcome: TaskOutcome, _ kept: ResumeData?) {
        let name = run.plan.address.redacted
        let kept = kept.flatMap { keptHint(run, $0) }
        let tries = triesWords(run)
        switch outcome {
        case .error(let failure):
            error(
                "\(name): \(failure.words)\(tries)",
                hint: kept ?? digestHint(run, failure) ?? retryHint(run) ?? Hints.hint(for: failure)
            )
        case .timeLimit(let limit):
            error(
                "\(name): timed out: --max-time"
                    + (limit.map { " of \(ByteText.time($0))" } ?? "") + " ran out"
                    + " (URLError.timedOut \(URLError.Code.timedOut.rawValue))",
                hint: kept
            )
        case .status(let status):
            let identity = identityHint(run, status)
            let isHinted = identity != nil || kept != nil
            error(
                "\(name): \(HeadText.status(status))\(tries)",
                hint: [
                    excerptHint(run), identity, kept, isHinted ? nil : retryHint(run),
                ].compactMap(\.self).joined(separator: "\nfetch: ").nonEmpty
            )
        case .policy(let words), .unproven(let words, _):
            error("\(name): \(Printable.text(words))")
        case .success, .notModified, .alreadyComplete, .kept, .interrupted, .stuck: break
        }
    }

    /// The path of the kept part, and the flags that continue it.
    private func keptHint(_ run: TaskRun, _ kept: ResumeData) -> String? {
        guard let path = run.get(\.naming.chosen) ?? run.plan.kind.possibleFile?.path else {
            return nil
        }
        let part = Printable.text(PartFile.path(of: path))
        return "\(ByteText.size(kept.receivedBytes)) are kept in \(part);"
            + " the same command with \(continuingFlags(run)) continues there"
    }

    private func continuingFlags(_ run: TaskRun) -> String {
        let isAutomatic =
            if case .automatic = run.plan.kind.destination { true } else { false }
        let isNamed = run.plan.kind.possibleFile?.isNamedByServer ?? false
        let other = [
            (isAutomatic, "--auto"), (isNamed, "--content-disposition"),
            (run.isInBackground, "--background"),
        ].filter(\.0).map(\.1).joined(separator: " and ")
        let place = other.isEmpty ? "" : " instead of \(other)"
        guard let planned = run.plan.kind.possibleFile?.path, let path = run.get(\.naming.chosen),
            path != planned
        else { return "-c" + place }
        // The occupied name got a number; `-c` alone would not find that file.
        return "-c -O \(Printable.text(path))\(place), for this URL only,"
    }

    /// The beginning of an error response's body, and the flag that prints all of it; `nil`: none.
    func excerptHint(_ run: TaskRun) -> String? {
        guard verbosity != .quiet, let excerpt = run.get(\.attempt.excerpt) else { return nil }
        let lines = excerpt.lines
        guard !lines.isEmpty else { return "--content-on-error prints the response's body" }
        return (["the error's body:"] + lines).joined(separator: "\n")
            + (lines.last == "  …" ? "\nfetch: --content-on-error prints all of it" : "")
    }

    /// Prints the proxy of a request, with `-v`; nothing without a proxy.
    func proxy(of session: URLSession, for url: @autoclosure () -> URL?) {
        guard verbosity.isVerbose, let url = url(), let proxy = try? session.proxy(for: url) else {
            return
        }
        line("fetch: \(Self.shown(url)) goes through the proxy \(proxy.url)", waits: false)
    }
}

// Messages about retries.
extension Printer {
    /// A longer wait is always reported, because otherwise the run seems to hang.
    private static let reportedWait: Duration = .seconds(2)

    /// Reports a failed attempt that is followed by another.
    func retry(
        _ run: TaskRun,
        _ retry: (outcome: TaskOutcome, wait: RetryWait, fromFirst: Bool),
        from kept: ResumeData?
    ) {
        let wait = retry.wait
        let why =
            switch retry.outcome {
            case .error(let failure): failure.words
            case .status(let status): HeadText.status(status)
            default: ""
            }
        run.progress.wait()
        let (delivered, bytes, counter) = run.get { ($0.delivered, $0.bytes, $0.attempts.counter) }
        let place =
            if let offset = kept?.receivedBytes ?? delivered?.count {
                "continuing at \(ByteText.size(offset))"
            } else if bytes > 0 {
                "starting over"
            } else {
                "trying again"
            }
        let limit = counter.policy.tries.map { " of \($0)" } ?? ""
        let asked = wait.asked.map { ", although the server asks for \(ByteText.time($0))" } ?? ""
        let words =
            "\(run.plan.address.redacted): \(why); \(place)"
            + (retry.fromFirst ? " from the first URL" : "")
            + " in \(ByteText.time(wait.duration))\(asked)"
            + " (try \(counter.failed + 1)\(limit))"
        guard verbosity == .quiet, wait.duration > Self.reportedWait else { return note(words) }
        line("fetch: \(words)")
    }

    /// The number of attempts, to be printed after the last error.
    func triesWords(_ run: TaskRun) -> String {
        let (attempts, decision) = run.get { ($0.attempts, $0.attempt.decision) }
        let tries = attempts.count - attempts.nextParts
        let why =
            switch decision {
            case .giveUp(.isTooLate): "; --max-time leaves no time for another"
            case .giveUp(.isAskedFor(let wait)):
                "; the server asks for a wait of \(ByteText.time(wait))"
            case .giveUp(.hasTakenTooLong):
                if case .sinceBeginning? = attempts.counter.policy.timeLimit {
                    "; --retry-max-time leaves no time for another"
                } else {
                    ""
                }
            default: ""
            }
        return (tries > 1 ? "; given up after \(tries) tries" : "") + why
    }

    /// Why there is no further attempt, unless it is obvious.
    func retryHint(_ run: TaskRun) -> String? {
        switch run.get(\.attempt.decision) {
        case .giveUp(.mayBeDone(let method)):
            "the server may have processed it, so \(Printable.text(method)) is not repeated"
        case .giveUp(.isAskedFor): "-t N or --max-time SECONDS allows the wait"
        case .retry, .giveUp, nil: nil
        }
    }
}
