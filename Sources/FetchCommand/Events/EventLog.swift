import Glibc
import SystemPackage
import URLLoading

/// The streams of a run: the one on standard error, if it needs one, and the one elsewhere.
struct EventLog: Sendable {
    /// Where no program follows.
    static let none = EventLog(standardError: nil, elsewhere: nil)

    /// Carries messages too, so that lines do not mix.
    let standardError: EventStream?
    private let elsewhere: EventStream?

    private init(standardError: EventStream?, elsewhere: EventStream?) {
        self.standardError = standardError
        self.elsewhere = elsewhere
    }

    /// Opens what events go to.
    ///
    /// Waits for a FIFO's reader.
    ///
    /// - Parameters:
    ///   - plan: what says where.
    ///   - empties: whether what a file has goes first.
    /// - Throws: `cannotOpenFile`.
    init(_ plan: MessagePlan, empties: Bool = true) throws(URLError) {
        let output: OutputDescriptor?
        switch plan.events {
        case .standardError:
            self.init(standardError: EventStream(.standardError, .json), elsewhere: nil)
            return
        // It has every URL and header field in it, and is for its owner alone, as a HAR file is.
        case .file(let path):
            output = try OutputDescriptor(creating: path, empties: empties, isPrivate: true)
            if !empties { output?.endLine() }
        case .descriptor(let number): output = OutputDescriptor(number)
        case nil: output = nil
        }
        // At a terminal the user who stops the lines is the user who reads them, and there is more
        // on it than lines.
        let isBuffered = plan.verbosity == .everything && isatty(STDERR_FILENO) == 0
        self.init(
            standardError: isBuffered ? EventStream(.standardError, .text) : nil,
            elsewhere: output.map { EventStream($0, .json) }
        )
    }

    /// Whether events come to a terminal, where anything else would mix with them.
    var isOnTerminal: Bool { elsewhere?.isOnTerminal ?? false }

    /// Whether a program follows through a stream.
    var isFollowed: Bool { standardError != nil || elsewhere != nil }

    /// The files that the streams go to.
    var places: [FilePlace] { [standardError, elsewhere].compactMap { $0?.place } }

    func post(_ event: SessionEvent) {
        standardError?.post(.call(event))
        elsewhere?.post(.call(event))
    }

    /// Tells an event, and waits until it is told; a reader that takes nothing for five seconds is
    /// given up.
    ///
    /// - Parameter event: the event.
    /// - Returns: whether it was.
    func write(_ event: SessionEvent) -> Bool {
        // A reader that has closed standard error has seen enough.
        standardError?.write { .call(event) }
        return elsewhere?.write(.call(event), timeout: Self.timeout) ?? true
    }

    /// How long a reader other than that of standard error may take nothing.
    private static let timeout: Duration = .seconds(5)

    /// Waits for the readers, and says what did not reach them.
    ///
    /// Standard error is waited for as long as its reader takes, as by any program; it is there for
    /// errors too. Another reader is given up when it takes nothing for five seconds. After a signal
    /// both have half a second, however much they read meanwhile.
    ///
    /// - Parameters:
    ///   - isCutShort: whether a signal ends the run.
    ///   - say: takes the words; it must not wait where a signal ends the run.
    func finish(isCutShort: Bool, say: (String) -> Void) {
        let now = ContinuousClock.now
        // What is said of the one has still to go the other way.
        let ends: (elsewhere: ContinuousClock.Instant, standardError: ContinuousClock.Instant)? =
            isCutShort ? (now + .milliseconds(400), now + .milliseconds(500)) : nil
        if let elsewhere,
            let loss = elsewhere.finish(timeout: Self.timeout, by: ends?.elsewhere)
        {
            let reason = loss.reason ?? "\(elsewhere.name): the reader is too slow"
            say("\(loss.count) event\(loss.count == 1 ? "" : "s") could not be written: \(reason)")
        }
        _ = standardError?.finish(timeout: nil, by: ends?.standardError)
    }
}

extension OutputDescriptor {
    /// Ends the last line of a file that is added to, where that has no end: what another program has
    /// written there by half is no line with ours.
    fileprivate func endLine() {
        let number = descriptor.rawValue
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            let file = try? FileDescriptor.open(
                "/proc/self/fd/\(number)",
                .readOnly,
                options: .closeOnExec
            )
        else { return }
        defer { try? file.close() }
        var last = UInt8(ascii: "\n")
        guard pread(file.rawValue, &last, 1, status.st_size - 1) == 1, last != UInt8(ascii: "\n")
        else { return }
        _ = try? descriptor.writeAll([UInt8(ascii: "\n")])
    }
}
