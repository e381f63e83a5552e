import FoundationEssentials
import URLLoading

/// Everything that is said: on standard error, a whole line at a time.
struct Printer: Sendable {
    /// Where there is no plan, there are only errors.
    static let errorsOnly = Printer(verbosity: .quiet, progress: .none, .none)

    let verbosity: Verbosity
    let progress: ProgressDisplay
    /// Whether a file's name is told where no progress is.
    let tellsNames: Bool
    private let events: EventLog

    private init(
        verbosity: Verbosity,
        progress: ProgressDisplay,
        tellsNames: Bool = false,
        _ events: EventLog
    ) {
        self.tellsNames = tellsNames
        self.verbosity = verbosity
        self.progress = progress
        self.events = events
    }

    init(_ plan: MessagePlan, _ events: EventLog) {
        self.init(
            verbosity: plan.verbosity,
            progress: ProgressDisplay(plan.progress, besides: events),
            tellsNames: plan.tellsNames,
            events
        )
    }

    /// An error and what to do about it; printed always.
    func error(_ message: String, hint: String? = nil) {
        line("fetch: \(message)" + (hint.map { "\nfetch: \($0)" } ?? ""), .error)
    }

    /// Something that is no error and deserves to be known.
    ///
    /// - Parameters:
    ///   - message: what it is.
    ///   - isQuietToo: whether it is said with `--quiet`.
    ///   - waits: whether until it is written.
    func warning(_ message: String, isQuietToo: Bool = false, waits: Bool = true) {
        guard verbosity != .quiet || isQuietToo else { return }
        line("fetch: warning: \(message)", .warning, waits: waits)
    }

    /// Whether calls to the delegate are told.
    var tellsEvents: Bool { verbosity == .everything || events.isFollowed }

    /// Whether what is sent and received is shown; not among events, which are for programs.
    var tellsTraffic: Bool { verbosity.isVerbose && events.standardError?.form != .json }

    /// What goes on beneath a task.
    func trace(_ trace: URLSessionTaskTrace) {
        guard tellsTraffic else { return }
        let lines = TraceText.lines(trace)
        if !lines.isEmpty { line(lines.joined(separator: "\n"), waits: false) }
    }

    /// A call to the delegate, with `-vv` as text, with `--events` as JSON.
    func event(_ event: @autoclosure () -> SessionEvent) {
        guard tellsEvents else { return }
        let event = event()
        events.post(event)
        if verbosity == .everything, events.standardError == nil {
            line(EventForm.text.words(.call(event)))
        }
    }

    /// A call that counts as told when this returns; the reader is waited for.
    ///
    /// - Parameter event: the call.
    /// - Returns: whether it was told, to whoever follows by a file or a descriptor.
    func eventTold(_ event: @autoclosure () -> SessionEvent) -> Bool {
        guard tellsEvents else { return true }
        let event = event()
        let isTold = events.write(event)
        if verbosity == .everything, events.standardError == nil {
            line(EventForm.text.words(.call(event)))
        }
        return isTold
    }

    /// The run is over: waits for those who follow the events, and says what did not reach them,
    /// also with `-q`.
    func finishEvents(isCutShort: Bool) {
        events.finish(isCutShort: isCutShort) { words in
            let text = "fetch: warning: \(words)"
            if isCutShort { lastLine(text, .warning) } else { line(text, .warning) }
        }
    }

    /// The head of an answer, with `-S`.
    func head(_ response: HTTPURLResponse, isAskedFor: Bool) {
        guard isAskedFor else { return }
        var lines = [HeadText.statusLine(response)]
        lines += response.headerFields.fields.map { field in
            let isSecret = Redaction.isSecret(header: field.name)
            let value = isSecret ? Redaction.placeholder : UserInfo.redacted(in: field.value)
            return "\(field.name): \(value)"
        }
        let text = lines.map { "  " + Printable.text($0) }.joined(separator: "\n")
        line(text, waits: false)
    }

    /// A response comes from the cache, and its server was not asked.
    func fromCache(_ run: TaskRun, _ response: HTTPURLResponse) {
        guard let age = response.storedAge else { return }
        note("\(run.plan.address.redacted): from the cache, \(ByteText.age(age)) old")
    }

    /// A file has a body that was not asked for so.
    func coded(_ run: TaskRun, _ response: URLResponse) {
        let isAsked = run.plan.headers.contains { $0.isNamed("Accept-Encoding") }
        guard !isAsked, run.get(\.errorBody) == nil,
            let coding = (response as? HTTPURLResponse)?.value(
                forHTTPHeaderField: "Content-Encoding"
            ), coding.lowercased() != "identity", !coding.isEmpty
        else { return }
        note(
            "\(run.plan.address.redacted): the server sent it \(Printable.text(coding))-encoded;"
                + " --compressed unpacks"
        )
    }

    /// A file that was to be continued comes whole, and why.
    func startOver(_ run: TaskRun, _ why: String) {
        note("\(run.plan.address.redacted): starting over: \(Printable.text(why))")
    }

    /// A file has the server's time, or a later one, and another length.
    func otherSize(_ run: TaskRun, _ path: String, _ size: Int64, _ length: Int64) {
        note(
            "\(run.plan.address.redacted): \(Printable.text(path)) has \(size) of \(length) bytes,"
                + " and is fetched again"
        )
    }

    /// What has become of the body of an error status, which is told by itself.
    func errorBody(_ run: TaskRun, _ trouble: String) {
        let words = Printable.text(UserInfo.redacted(in: trouble))
        warning("\(run.plan.address.redacted): the body of the error: \(words)", waits: false)
    }

    /// What is said of a part that an earlier run has left and this one overwrites.
    func leftover(_ run: TaskRun, _ part: String, _ size: Int64) -> String {
        "\(Printable.text(part)) (\(ByteText.size(size))) is started over;"
            + " \(continuingFlags(run)) would have continued it"
    }

    /// Something ends the task before it is over; and what of it can be continued.
    func interrupted(_ run: TaskRun, _ why: Interruption, _ kept: ResumeData?) {
        guard verbosity != .quiet else { return }
        let hint = kept.flatMap { keptHint(run, $0) }.map { "\nfetch: \($0)" }
        let name = run.plan.address.redacted
        switch why {
        case .signal:
            guard let hint else { return }
            lastLine("fetch: \(name): interrupted\(hint)", .note)
        case .failEarly:
            note("\(name): given up, since another failed (--fail-early)\(hint ?? "")")
        }
    }

    /// A task has failed; one line, and what to do about it.
    ///
    /// `kept` is what is left of a download.
    func failure(_ run: TaskRun, _ outcome: TaskOutcome, kept: ResumeData?) {
        progress.end(run.progress)
        let name = run.plan.address.redacted
        let kept = kept.flatMap { keptHint(run, $0) }
        let tries = triesWords(run)
        switch outcome {
        case .success, .notModified, .kept, .outputClosed: break
        case .error(let failure):
            error(
                "\(name): \(words(failure))\(tries)",
                hint: kept ?? digestHint(run, failure) ?? retryHint(run) ?? Hints.hint(for: failure)
            )
        case .timeLimit(let limit):
            error(
                "\(name): timed out: --max-time of \(ByteText.time(limit)) ran out"
                    + " (URLError.timedOut \(URLError.Code.timedOut.rawValue))",
                hint: kept
            )
        case .status(let status):
            error(
                "\(name): \(HeadText.status(status))\(tries)",
                hint: [
                    excerptHint(run), identityHint(run, status) ?? kept ?? retryHint(run),
                ].compactMap(\.self).joined(separator: "\nfetch: ").nonEmpty
            )
        case .policy(let words), .unproven(let words, _):
            error("\(name): \(Printable.text(words))")
        }
    }

    func words(_ error: URLError) -> String {
        Printable.text(error.code.redacted(error.description))
    }

    /// Where the bytes are, and what makes a file of them.
    private func keptHint(_ run: TaskRun, _ kept: ResumeData) -> String? {
        guard let path = run.get(\.chosenPath) ?? run.plan.kind.possibleFile?.path else {
            return nil
        }
        let part = Printable.text(FileDestination.partPath(of: path))
        return "\(ByteText.size(kept.receivedBytes)) are kept in \(part);"
            + " the same command with \(continuingFlags(run)) continues there"
    }

    /// The flags that continue what a run has begun.
    private func continuingFlags(_ run: TaskRun) -> String {
        let isAutomatic =
            if case .automatic = run.plan.kind.destination { true } else { false }
        let isNamed = run.plan.kind.possibleFile?.isNamedByServer ?? false
        let other = [(isAutomatic, "--auto"), (isNamed, "--content-disposition")]
            .filter(\.0).map(\.1).joined(separator: " and ")
        let place = other.isEmpty ? "" : " in the place of \(other)"
        guard let planned = run.plan.kind.possibleFile?.path, let path = run.get(\.chosenPath),
            path != planned
        else { return "-c" + place }
        // A name that was taken has got a number, which -c alone would not look for.
        return "-c -O \(Printable.text(path))\(place), for this URL alone,"
    }

    /// Something that may be of interest to whoever watches.
    func note(_ message: String) {
        guard verbosity != .quiet, !isInBackground else { return }
        line("fetch: \(message)", waits: false)
    }

    /// A URL as it may be shown: without user and password.
    static func shown(_ url: URL) -> String {
        Printable.text(Redaction.url(url.absoluteString))
    }

    /// Says it, and waits until it is written; on the delegate queue it does not wait where there
    /// is a stream, since a reader who does not read must not hold that up.
    ///
    /// Where there are bars it goes above them, and nobody waits for the terminal.
    func line(_ text: String, _ level: MessageLevel = .note, waits: Bool = true) {
        if let stream = events.standardError {
            guard waits else { return stream.post(.message(text, level, .now)) }
            stream.write { .message(text, level, .now) }
            return
        }
        if case .bars(let board) = progress { return board.say(text) }
        // Where standard error cannot be written there is nobody left to tell.
        try? Array((text + "\n").utf8).withUnsafeBytes { bytes in
            try OutputDescriptor.standardError.write(bytes)
        }
    }

    /// Prints a text that brings its own line ends, where nothing else has standard error to itself;
    /// else it is said as a line.
    func verbatim(_ text: String) {
        let isAlone = if case .bars = progress { false } else { events.standardError == nil }
        guard isAlone else {
            return line(text.last == "\n" ? String(text.dropLast()) : text)
        }
        // Where standard error cannot be written there is nobody left to tell.
        try? Array(text.utf8).withUnsafeBytes { try OutputDescriptor.standardError.write($0) }
    }

    /// Says it though a signal ends the run: a reader who does not read holds that up for a moment
    /// at the most.
    private func lastLine(_ text: String, _ level: MessageLevel) {
        if let stream = events.standardError { return stream.post(.message(text, level, .now)) }
        if case .bars(let board) = progress { return board.say(text, waits: false) }
        OutputDescriptor.standardError.write(Array((text + "\n").utf8), within: Self.patience)
    }
}

extension String {
    /// Itself, unless there is nothing in it.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
