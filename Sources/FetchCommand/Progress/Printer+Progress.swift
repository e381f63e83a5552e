import FoundationEssentials
import Glibc
import URLLoading

// Messages about the progress and success of tasks.
extension Printer {
    /// The maximum wait for the last lines after a signal.
    static let exitTimeout: Duration = .milliseconds(300)

    /// Warns if the chosen progress display is impossible.
    func announce(_ plan: MessagePlan) {
        guard plan.progress == .bar, case .lines = progress else { return }
        warning("--progress bar: there is no terminal for a bar; using lines")
    }

    func begin(_ run: TaskRun) {
        guard progress.isShown else { return }
        run.progress.name(run.name)
        if run.leavesTerminalAlone { progress.board?.add(run.progress) }
    }

    func sent(_ run: TaskRun, _ total: Int64, of expected: Int64) {
        guard progress.isShown else { return }
        run.progress.sent(total, of: expected)
        lineIfDue(run)
    }

    func waitsForNetwork(_ run: TaskRun) {
        run.progress.wait(.offline)
        note(run, "waiting for a network")
    }

    func start(_ run: TaskRun, _ response: URLResponse) {
        // For many tasks, the line at the end of each suffices.
        guard case .lines = progress, !run.isAmongMany, let path = run.get(\.naming.chosen) else {
            return
        }
        let length = response.expectedContentLength
        let size = length < 0 ? "length unknown" : ByteText.size(length)
        line("\(run.plan.address.redacted) -> \(Printable.text(path)) (\(size))", waits: false)
    }

    func receive(_ run: TaskRun, _ response: URLResponse) {
        guard progress.isShown else { return }
        if let path = run.get(\.naming.chosen) {
            run.progress.name(Printable.text(path))
        } else if let board = progress.board, run.get(\.output.descriptor).isTerminal {
            board.stop()
        }
        // This is the length of a body that the server does not send.
        if run.plan.kind.isHead { return }
        run.progress.receive(of: response.expectedContentLength)
    }

    /// Reports a body that is continued at an offset.
    func resume(_ run: TaskRun, at offset: Int64, of total: Int64) {
        guard progress.isShown, let path = run.get(\.naming.chosen) else { return }
        run.progress.name(Printable.text(path))
        run.progress.receive(of: total, from: offset)
        guard isWatched else { return }
        let whole = total < 0 ? "" : " of \(ByteText.size(total))"
        line(
            "\(run.plan.address.redacted) -> \(Printable.text(path))"
                + " (continued at \(ByteText.size(offset))\(whole))",
            waits: false
        )
    }

    func received(_ run: TaskRun, _ total: Int64) {
        guard progress.isShown else { return }
        run.progress.received(total)
        lineIfDue(run)
    }

    var reportsSuccess: Bool {
        isWatched || progress.isShown || verbosity != .quiet && reportsNames
    }

    func success(_ run: TaskRun) {
        guard isWatched else {
            guard reportsNames, let path = run.get(\.naming.saved) else { return }
            return note("\(run.plan.address.redacted) -> \(Printable.text(path))")
        }
        let elapsed = MonotonicInstant.now - run.started
        let (bytes, fileSize) = run.get { ($0.bytes, $0.fileSize) }
        // After a new start the received bytes are more than the file's.
        let size = min(fileSize ?? bytes, bytes)
        let amount =
            ByteText.size(size) + (size < bytes ? " (\(ByteText.size(bytes)) received)" : "")
            + " in \(ByteText.time(elapsed))"
        if let path = run.get(\.naming.saved) {
            let url = run.isAmongMany ? run.plan.address.redacted + " -> " : ""
            line("\(url)\(Printable.text(path)): \(amount), \(ByteText.rate(bytes, elapsed))")
        } else if verbosity == .brief || verbosity.isVerbose {
            line("\(run.plan.address.redacted): \(amount)")
        } else if run.progress.reading.wasShown, !run.get(\.output.descriptor).isTerminal {
            line(bodyLine(run, bytes, elapsed))
        }
    }

    /// Reports the end of all tasks; without a duration if the run's start is unknown.
    func summary(_ count: JobCount, since start: MonotonicInstant? = nil) {
        guard isWatched, verbosity != .brief else { return }
        line(count.summary(start.map { MonotonicInstant.now - $0 }))
    }

    /// Ends the display before the process exits; only whole lines remain on the screen.
    func close(_ result: ProcessExit) {
        let timeout: Duration? = if case .signal = result { Self.exitTimeout } else { nil }
        progress.board?.close(within: timeout)
        LineWriter.standardError.finish(within: timeout)
    }

    /// Whether a success is reported in a line.
    var isWatched: Bool { !isInBackground && (progress.isShown || verbosity == .brief) }

    /// Whether the job is in the background, where only errors and warnings are printed.
    var isInBackground: Bool {
        guard let board = progress.board, verbosity == .normal else { return false }
        return !board.isForeground
    }

    private func lineIfDue(_ run: TaskRun) {
        guard case .lines = progress, let text = run.progress.dueLine(at: .now) else { return }
        line(text, waits: false)
    }

    /// The line for a body without a file: sent or received bytes, whichever are more.
    private func bodyLine(_ run: TaskRun, _ received: Int64, _ elapsed: Duration) -> String {
        let sent = run.progress.reading.sent
        let bytes = max(sent, received)
        return "\(run.plan.address.redacted): \(sent > received ? "sent " : "")"
            + "\(ByteText.size(bytes)) in \(ByteText.time(elapsed)), \(ByteText.rate(bytes, elapsed))"
    }
}

extension TaskRun {
    /// The task's displayed name, without control characters.
    var name: String { plan.kind.file.map { Printable.text($0.path) } ?? plan.address.redacted }

    /// Whether the task leaves the terminal to the bars; an upload's response ends them later.
    var leavesTerminalAlone: Bool {
        if plan.body.readsStandardInput, isatty(STDIN_FILENO) != 0 { return false }
        guard !plan.body.isSent, get(\.naming.file) == nil else { return true }
        return !plan.kind.destination.mayBeStandardOutput
            || !get(\.output.descriptor).isTerminal
    }
}
