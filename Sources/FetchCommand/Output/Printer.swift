import FoundationEssentials
import URLLoading

/// All messages: on standard error, a whole line at a time.
struct Printer: Sendable {
    /// Without a plan, only errors are printed.
    static let errorsOnly = Printer(verbosity: .quiet, progress: .none, .none)

    let verbosity: Verbosity
    let progress: ProgressDisplay
    /// Whether a file's name is printed without progress.
    let reportsNames: Bool
    private let events: EventLog

    private init(
        verbosity: Verbosity,
        progress: ProgressDisplay,
        reportsNames: Bool = false,
        _ events: EventLog
    ) {
        self.reportsNames = reportsNames
        self.verbosity = verbosity
        self.progress = progress
        self.events = events
    }

    init(_ plan: MessagePlan, _ events: EventLog) {
        self.init(
            verbosity: plan.verbosity,
            progress: ProgressDisplay(plan.progress, besides: events),
            reportsNames: plan.reportsNames,
            events
        )
    }

    /// An error and what to do about it; printed always.
    func error(_ message: String, hint: String? = nil) {
        line("fetch: \(message)" + (hint.map { "\nfetch: \($0)" } ?? ""), .error)
    }

    /// A warning.
    ///
    /// - Parameters:
    ///   - message: the text.
    ///   - isQuietToo: whether it is printed with `--quiet`.
    ///   - waits: whether to wait until it is written.
    func warning(_ message: String, isQuietToo: Bool = false, waits: Bool = true) {
        guard verbosity != .quiet || isQuietToo else { return }
        line("fetch: warning: \(message)", .warning, waits: waits)
    }

    /// Whether calls to the delegate are reported.
    var reportsEvents: Bool { verbosity == .everything || events.isFollowed }

    /// Whether what is sent and received is shown; not among events, which are for programs.
    var reportsTraffic: Bool { verbosity.isVerbose && events.standardError?.form != .json }

    func trace(_ trace: URLSessionTaskTrace) {
        guard reportsTraffic else { return }
        let lines = TraceText.lines(trace)
        if !lines.isEmpty { line(lines.joined(separator: "\n"), waits: false) }
    }

    /// A call to the delegate's method `method`, with its arguments by their labels.
    func event(
        _ name: SessionEvent.Name,
        _ task: URLSessionTask,
        _ arguments: @autoclosure () -> KeyValuePairs<String, EventValue> = [:],
        method: String = #function
    ) {
        event(SessionEvent(name, task, arguments(), method: method))
    }

    /// A call to the delegate, with `-vv` as text, with `--events` as JSON.
    func event(_ event: @autoclosure () -> SessionEvent) {
        guard reportsEvents else { return }
        let event = event()
        events.post(event)
        if verbosity == .everything, events.standardError == nil {
            line(EventForm.text.words(.call(event)))
        }
    }

    /// Writes a call, and waits for the reader.
    ///
    /// - Returns: whether it was written.
    func deliver(_ event: @autoclosure () -> SessionEvent) -> Bool {
        guard reportsEvents else { return true }
        let event = event()
        let isReported = events.write(event)
        if verbosity == .everything, events.standardError == nil {
            line(EventForm.text.words(.call(event)))
        }
        return isReported
    }

    /// At the end of the run: waits for the readers of events, and reports lost ones, also with
    /// `-q`.
    func finishEvents(isCutShort: Bool) {
        events.finish(isCutShort: isCutShort) { words in
            let text = "fetch: warning: \(words)"
            if isCutShort { lastLine(text, .warning) } else { line(text, .warning) }
        }
    }

    /// The head of a response, with `-S`.
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

    /// A note for interactive users.
    func note(_ message: String) {
        guard verbosity != .quiet, !isInBackground else { return }
        line("fetch: \(message)", waits: false)
    }

    /// A URL as it may be shown: without user and password.
    static func shown(_ url: URL) -> String {
        Printable.text(Redaction.url(url.absoluteString))
    }

    /// Prints a line, and waits until it is written.
    ///
    /// On the delegate queue it does not wait for a stream, because a stalled reader must not block
    /// the queue.
    ///
    /// With bars, the line goes above them, and the caller does not wait for the terminal. During a
    /// run, it does not wait for any reader of standard error (``LineWriter``).
    func line(_ text: String, _ level: MessageLevel = .note, waits: Bool = true) {
        if let stream = events.standardError {
            guard waits else { return stream.post(.message(text, level, .now)) }
            stream.write { .message(text, level, .now) }
            return
        }
        if case .bars(let board) = progress { return board.say(text) }
        LineWriter.standardError.write(Array((text + "\n").utf8))
    }

    /// A run begins.
    ///
    /// Until ``close(_:)`` no line is waited for, because the printing thread also moves the
    /// transfers.
    func keepsLines() {
        if events.standardError == nil { LineWriter.standardError.keepsLines() }
    }

    /// Prints text with its own line ends, unless bars or events use standard error; then it is a
    /// line.
    func verbatim(_ text: String) {
        let isAlone = if case .bars = progress { false } else { events.standardError == nil }
        guard isAlone else {
            return line(text.last == "\n" ? String(text.dropLast()) : text)
        }
        LineWriter.standardError.write(Array(text.utf8))
    }

    /// Prints a line after a signal.
    ///
    /// A stalled reader delays the exit only for a moment.
    func lastLine(_ text: String, _ level: MessageLevel) {
        if let stream = events.standardError { return stream.post(.message(text, level, .now)) }
        if case .bars(let board) = progress { return board.say(text, waits: false) }
        LineWriter.standardError.writeLast(Array((text + "\n").utf8), within: Self.exitTimeout)
    }
}
