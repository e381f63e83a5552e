import FoundationEssentials
import URLLoading

/// Everything that is said: on standard error, a whole line at a time.
struct Printer: Sendable {
    /// Where there is no plan, there are only errors.
    static let errorsOnly = Printer(verbosity: .quiet, showsProgress: false)

    private let verbosity: Verbosity
    private let showsProgress: Bool

    private init(verbosity: Verbosity, showsProgress: Bool) {
        self.verbosity = verbosity
        self.showsProgress = showsProgress
    }

    init(_ plan: MessagePlan) {
        self.init(verbosity: plan.verbosity, showsProgress: plan.showsProgress)
    }

    /// An error and what to do about it; printed always.
    func error(_ message: String, hint: String? = nil) {
        line("fetch: \(message)" + (hint.map { "\nfetch: \($0)" } ?? ""))
    }

    /// Something that is no error and deserves to be known.
    func warning(_ message: String) {
        guard verbosity != .quiet else { return }
        line("fetch: warning: \(message)")
    }

    /// A call to the delegate, with `-v`.
    func event(_ event: @autoclosure () -> SessionEvent) {
        guard verbosity == .verbose else { return }
        line(event().text)
    }

    /// The head of an answer, with `-S`.
    func head(_ response: HTTPURLResponse, isAskedFor: Bool) {
        guard isAskedFor else { return }
        var lines = [HeadText.statusLine(response)]
        lines += response.headerFields.fields.map { field in
            "\(field.name): \(UserInfo.redacted(in: field.value))"
        }
        line(lines.map { "  " + Printable.text($0) }.joined(separator: "\n"))
    }

    /// A body begins to come.
    func start(_ run: TaskRun, _ response: URLResponse) {
        guard showsProgress, let path = run.current.chosenPath else { return }
        let length = response.expectedContentLength
        let size = length < 0 ? "length unknown" : ByteText.size(length)
        line("\(run.plan.address.redacted) -> \(Printable.text(path)) (\(size))")
    }

    /// A task is over and all is well.
    func success(_ run: TaskRun) {
        guard showsProgress || verbosity == .brief else { return }
        let state = run.current
        let elapsed = ContinuousClock.now - run.started
        let figures = "\(ByteText.size(state.bytes)) in \(ByteText.time(elapsed))"
        if let path = state.savedPath {
            line("\(Printable.text(path)): \(figures), \(ByteText.rate(state.bytes, elapsed))")
        } else if verbosity == .brief || verbosity == .verbose {
            line("\(run.plan.address.redacted): \(figures)")
        }
    }

    /// A task is over, and there was nothing to fetch.
    func notModified(_ run: TaskRun) {
        guard showsProgress || verbosity == .brief else { return }
        line("\(run.plan.address.redacted): not modified")
    }

    /// A task has failed; one line, and what to do about it.
    func failure(_ run: TaskRun, _ outcome: TaskOutcome) {
        let name = run.plan.address.redacted
        switch outcome {
        case .success, .notModified, .outputClosed: break
        case .error(let failure):
            error(
                "\(name): \(Printable.text(UserInfo.redacted(in: failure.description)))",
                hint: Hints.hint(for: failure)
            )
        case .timeLimit(let limit):
            error(
                "\(name): timed out: --max-time of \(ByteText.time(limit)) ran out"
                    + " (URLError.timedOut \(URLError.Code.timedOut.rawValue))"
            )
        case .status(let status): error("\(name): \(HeadText.status(status))")
        case .policy(let words):
            error("\(name): \(Printable.text(words))")
        }
    }

    /// A URL as it may be shown: without user and password.
    static func shown(_ url: URL) -> String {
        Printable.text(Redaction.url(url.absoluteString))
    }

    private func line(_ text: String) {
        // Where standard error cannot be written there is nobody left to tell.
        try? Array((text + "\n").utf8).withUnsafeBytes { bytes in
            try OutputDescriptor.standardError.write(bytes)
        }
    }
}
