import Glibc
import SystemPackage
import URLLoading

/// The event streams of a run: one on standard error, if needed, and one elsewhere.
struct EventLog: Sendable {
    /// Without a reader.
    static let none = EventLog(standardError: nil, elsewhere: nil)

    /// Carries messages too, so that lines do not mix.
    let standardError: EventStream?
    private let elsewhere: EventStream?

    private init(standardError: EventStream?, elsewhere: EventStream?) {
        self.standardError = standardError
        self.elsewhere = elsewhere
    }

    /// Opens the destinations of events.
    ///
    /// Waits for a FIFO's reader.
    ///
    /// - Parameters:
    ///   - plan: the destinations.
    ///   - empties: whether a file is emptied.
    /// - Throws: `cannotOpenFile`.
    init(_ plan: MessagePlan, empties: Bool = true) throws(URLError) {
        let output: OutputDescriptor?
        switch plan.events {
        case .standardError:
            self.init(standardError: EventStream(.standardError, .json), elsewhere: nil)
            return
        // It contains URLs and header fields, so only its owner can read it, like a HAR file.
        case .file(let path):
            output = try OutputDescriptor(creating: path, empties: empties, isPrivate: true)
            if !empties { output?.endLine() }
        case .descriptor(let number): output = OutputDescriptor(number)
        case nil: output = nil
        }
        // A user stops a terminal to read it, and it shows more than lines.
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

    /// Writes an event, and waits for that; a reader that takes nothing for five seconds is given
    /// up.
    ///
    /// - Returns: whether it was written.
    func write(_ event: SessionEvent) -> Bool {
        // A reader that has closed standard error needs no event.
        standardError?.write { .call(event) }
        return elsewhere?.write(.call(event), timeout: Self.timeout) ?? true
    }

    /// How long a reader other than that of standard error may take nothing.
    private static let timeout: Duration = .seconds(5)

    /// Waits for the readers, and reports lost events.
    ///
    /// Standard error is waited for without a limit, as in any program. Another reader is given up
    /// when it takes nothing for five seconds. After a signal both have half a second.
    ///
    /// - Parameters:
    ///   - isCutShort: whether a signal ends the run.
    ///   - say: reports; it must not wait if a signal ends the run.
    func finish(isCutShort: Bool, say: (String) -> Void) {
        let now = MonotonicInstant.now
        // A warning about one stream still goes to the other.
        let ends: (elsewhere: MonotonicInstant, standardError: MonotonicInstant)? =
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
    /// Ends an incomplete last line of a file that is appended to, which another program may have
    /// left.
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
