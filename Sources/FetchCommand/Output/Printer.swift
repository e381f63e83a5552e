import FoundationEssentials
import URLLoading

/// Prints all messages to standard error, one whole line at a time.
struct Printer: Sendable {
    /// The printer before a plan exists; it prints only errors.
    static let errorsOnly = Printer(
        MessagePlan(verbosity: .quiet, showsResponseHeaders: false, progress: ProgressChoice.none),
        .none
    )

    let verbosity: Verbosity
    let progress: ProgressDisplay
    /// Whether a file's name is printed without progress.
    let reportsNames: Bool
    private let showsResponseHeaders: Bool
    private let events: EventLog
    /// Bytes.
    private static let maximumBacklog = 1 << 20

    init(_ plan: MessagePlan, _ events: EventLog, reportsOnOutput: Bool = false) {
        verbosity = plan.verbosity
        progress = ProgressDisplay(plan.progress, besides: events, reportsOnOutput: reportsOnOutput)
        reportsNames = plan.reportsNames
        showsResponseHeaders = plan.showsResponseHeaders
        self.events = events
    }

    /// Prints an error and a hint, whatever the verbosity.
    func error(_ message: String, hint: String? = nil) {
        line("fetch: \(message)" + (hint.map { "\nfetch: \($0)" } ?? ""), .error)
    }

    /// Prints a warning; `isQuietToo`: also with `--quiet`; `waits`: blocks until it is written.
    func warning(_ message: String, isQuietToo: Bool = false, waits: Bool = true) {
        guard verbosity != .quiet || isQuietToo else { return }
        line("fetch: warning: \(message)", .warning, waits: waits)
    }

    var reportsEvents: Bool { verbosity == .everything || events.isFollowed }

    /// Whether requests and responses are printed; not if standard error has JSON events.
    var reportsTraffic: Bool { verbosity.isVerbose && events.standardError?.form != .json }

    func trace(_ trace: URLSessionTaskTrace) {
        guard reportsTraffic else { return }
        let lines = TraceText.lines(trace)
        if !lines.isEmpty { line(lines.joined(separator: "\n"), waits: false) }
    }

    /// Reports a call of the delegate's method `method`, with its labelled arguments.
    ///
    /// Without a task, it is a call about the session itself.
    func event(
        _ name: SessionEvent.Name,
        _ task: URLSessionTask?,
        _ arguments: @autoclosure () -> KeyValuePairs<String, EventValue> = [:],
        method: String = #function
    ) { event(SessionEvent(name, task, arguments(), method: method)) }

    /// Reports a call of the delegate: with `-vv` as text, with `--events` as JSON.
    func event(_ event: @autoclosure () -> SessionEvent) {
        guard reportsEvents else { return }
        let event = event()
        events.post(event)
        if verbosity == .everything, events.standardError == nil {
            line(EventForm.text.words(.call(event)))
        }
    }

    /// Reports a call of the delegate, blocks until the reader has it, and returns whether it has.
    func deliver(_ event: @autoclosure () -> SessionEvent) -> Bool {
        guard reportsEvents else { return true }
        let event = event()
        let isReported = events.write(event)
        if verbosity == .everything, events.standardError == nil {
            line(EventForm.text.words(.call(event)))
        }
        return isReported
    }

    /// Ends the run's events: waits for their readers, and reports lost events, even with `-q`.
    func finishEvents(isCutShort: Bool) {
        events.finish(isCutShort: isCutShort) { words in
            let text = "fetch: warning: \(words)"
            if isCutShort { lastLine(text, .warning) } else { line(text, .warning) }
        }
    }

    /// Prints the head of a response, with `-S`.
    func head(_ response: HTTPURLResponse) {
        guard showsResponseHeaders else { return }
        var lines = [HeadText.statusLine(response)]
        lines += response.headerFields.fields.map { "\($0.name): \($0.shownValue)" }
        let text = lines.map { "  " + Printable.text($0) }.joined(separator: "\n")
        line(text, waits: false)
    }

    /// Prints a note, unless `-q` is given or the command is in the background.
    func note(_ message: String) {
        guard verbosity != .quiet, !isInBackground else { return }
        line("fetch: \(message)", waits: false)
    }

    func note(_ run: TaskRun, _ message: String) {
        note("\(run.plan.address.redacted): \(message)")
    }

    /// A URL without user and password, and without control characters.
    static func shown(_ url: URL) -> String { Printable.text(Redaction.url(url.absoluteString)) }

    /// Prints a line, and blocks until it is written.
    ///
    /// The delegate queue passes `waits: false`, because a stalled reader of events must not block
    /// it.
    ///
    /// With progress bars, the line goes above them, and the caller does not wait for the terminal.
    /// During a run, no caller waits for a reader of standard error (``LineWriter``).
    func line(_ text: String, _ level: MessageLevel = .note, waits: Bool = true) {
        if let stream = events.standardError {
            guard waits else { return stream.post(.message(text, level, .now)) }
            stream.write { .message(text, level, .now) }
            return
        }
        if let board = progress.board { return board.printAbove(text) }
        LineWriter.standardError.write(Array((text + "\n").utf8))
    }

    /// Begins a run: until ``close(_:)``, no line blocks, because this thread also transfers.
    func keepsLines() {
        if events.standardError == nil { LineWriter.standardError.keepsLines() }
    }

    /// Whether the reader of standard error is far behind: no further task begins until it has read more.
    var isFarBehind: Bool {
        let backlog = progress.board?.backlog ?? LineWriter.standardError.backlog
        return backlog > Self.maximumBacklog
    }

    /// Prints text that has its own line ends; as a line, if bars or events use standard error.
    func verbatim(_ text: String) {
        guard progress.board == nil, events.standardError == nil else {
            return line(text.last == "\n" ? String(text.dropLast()) : text)
        }
        LineWriter.standardError.write(Array(text.utf8))
    }

    /// Prints a line after a signal; a stalled reader delays the exit only briefly.
    func lastLine(_ text: String, _ level: MessageLevel) {
        if let stream = events.standardError { return stream.post(.message(text, level, .now)) }
        if let board = progress.board { return board.printAbove(text, within: Self.exitTimeout) }
        LineWriter.standardError.writeLast(Array((text + "\n").utf8), within: Self.exitTimeout)
    }
}
