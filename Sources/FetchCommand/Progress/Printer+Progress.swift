import FoundationEssentials
import URLLoading

// Messages about a task without errors.
extension Printer {
    /// How long the last lines may take after a signal.
    static let exitTimeout: Duration = .milliseconds(300)

    /// Reports a choice that is impossible.
    func announce(_ plan: MessagePlan) {
        guard plan.progress == .bar, case .lines = progress else { return }
        warning("--progress bar: there is no terminal for a bar; using lines")
    }

    /// A task is about to begin.
    func begin(_ run: TaskRun) {
        guard progress.isShown else { return }
        run.progress.name(run.name)
        guard case .bars(let board) = progress, run.leavesTerminalAlone else { return }
        board.add(run.progress)
    }

    /// Bytes of the request's body were sent.
    func sent(_ run: TaskRun, _ total: Int64, of expected: Int64) {
        guard progress.isShown else { return }
        run.progress.sent(total, of: expected)
        lineIfDue(run)
    }

    /// There is no network for a task, and it waits for one.
    func waitsForNetwork(_ run: TaskRun) {
        run.progress.lackNetwork()
        note("\(run.plan.address.redacted): waiting for a network")
    }

    /// A file is begun.
    func start(_ run: TaskRun, _ response: URLResponse) {
        // With many tasks, a line at the end of each is enough.
        guard case .lines = progress, !run.isAmongMany, let path = run.get(\.naming.chosen) else {
            return
        }
        let length = response.expectedContentLength
        let size = length < 0 ? "length unknown" : ByteText.size(length)
        line("\(run.plan.address.redacted) -> \(Printable.text(path)) (\(size))", waits: false)
    }

    /// A body begins to come.
    func receive(_ run: TaskRun, _ response: URLResponse) {
        guard progress.isShown else { return }
        if let path = run.get(\.naming.chosen) {
            run.progress.name(Printable.text(path))
        } else if case .bars(let board) = progress, run.get(\.output.descriptor).isTerminal {
            board.giveUp()
        }
        // The length belongs to a body that is not sent.
        if case .head = run.plan.kind { return }
        run.progress.receive(of: response.expectedContentLength)
    }

    /// A body is continued.
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

    /// Bytes of the response's body were received.
    func received(_ run: TaskRun, _ total: Int64) {
        guard progress.isShown else { return }
        run.progress.received(total)
        lineIfDue(run)
    }

    var reportsSuccess: Bool {
        isWatched || progress.isShown || verbosity != .quiet && reportsNames
    }

    /// A task has succeeded.
    func success(_ run: TaskRun) {
        progress.end(run.progress)
        guard isWatched else {
            guard reportsNames, let path = run.get(\.naming.saved) else { return }
            return note("\(run.plan.address.redacted) -> \(Printable.text(path))")
        }
        let elapsed = ContinuousClock.now - run.started
        let bytes = run.get(\.bytes)
        let amount = "\(ByteText.size(bytes)) in \(ByteText.time(elapsed))"
        if let path = run.get(\.naming.saved) {
            let url = run.isAmongMany ? run.plan.address.redacted + " -> " : ""
            line(
                "\(url)\(Printable.text(path)): \(amount), \(ByteText.rate(bytes, elapsed))"
            )
        } else if verbosity == .brief || verbosity.isVerbose {
            line("\(run.plan.address.redacted): \(amount)")
        } else if run.progress.reading.wasShown, !run.get(\.output.descriptor).isTerminal {
            line(bodyLine(run, bytes, elapsed))
        }
    }

    /// Every task is over.
    ///
    /// - Parameters:
    ///   - count: how they have ended.
    ///   - start: when they began; `nil` where it is unknown.
    func summary(_ count: JobCount, since start: ContinuousClock.Instant? = nil) {
        guard isWatched, verbosity != .brief else { return }
        line(count.summary(start.map { ContinuousClock.now - $0 }))
    }

    /// There is nothing to be fetched.
    func alreadyComplete(_ run: TaskRun, _ path: String) {
        progress.end(run.progress)
        guard isWatched else { return }
        line("\(Printable.text(path)): already complete")
    }

    /// A task is over, and there was nothing to fetch.
    func notModified(_ run: TaskRun) {
        progress.end(run.progress)
        guard isWatched else { return }
        line("\(run.plan.address.redacted): not modified")
    }

    /// A task is over, and the existing file is kept.
    ///
    /// Printed even if little else is, because nothing was saved.
    func kept(_ run: TaskRun, _ path: String, _ kept: KeptFile) {
        progress.end(run.progress)
        let name = Printable.text(path)
        switch kept {
        case .found: note("\(name) exists, not fetched")
        case .isUnderWay: note("\(name) is already being fetched")
        case .cameMeanwhile:
            note("\(name) was created by another process and stays; the download is discarded")
        }
    }

    /// When `tick` is to be called; nil for never.
    var nextTick: ContinuousClock.Instant? {
        if case .bars(let board) = progress { board.nextTick } else { nil }
    }

    /// Redraws the bars.
    func tick() {
        if case .bars(let board) = progress { board.tick() }
    }

    /// The process is about to end; only whole lines remain on the screen.
    func close(_ result: ProcessExit) {
        let timeout: Duration? = if case .signal = result { Self.exitTimeout } else { nil }
        if case .bars(let board) = progress { board.close(within: timeout) }
        LineWriter.standardError.finish(within: timeout)
    }

    /// Whether a success gets a line.
    var isWatched: Bool {
        !isInBackground && (progress.isShown || verbosity == .brief)
    }

    /// Whether the job is in the background; errors and warnings are still printed.
    var isInBackground: Bool {
        guard case .bars(let board) = progress, verbosity == .normal else { return false }
        return !board.isForeground
    }

    private func lineIfDue(_ run: TaskRun) {
        guard case .lines = progress, let text = run.progress.dueLine(at: .now) else { return }
        line(text, waits: false)
    }

    /// The line that replaces a bar without a file: the larger of the two directions.
    private func bodyLine(_ run: TaskRun, _ received: Int64, _ elapsed: Duration) -> String {
        let sent = run.progress.reading.sent
        let bytes = max(sent, received)
        return "\(run.plan.address.redacted): \(sent > received ? "sent " : "")"
            + "\(ByteText.size(bytes)) in \(ByteText.time(elapsed)), \(ByteText.rate(bytes, elapsed))"
    }
}
