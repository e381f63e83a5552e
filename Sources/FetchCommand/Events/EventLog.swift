import Glibc
import SystemPackage
import URLLoading

/// The event streams of a run: at most one on standard error, and one elsewhere.
struct EventLog: Sendable {
    static let none = EventLog()

    /// Carries messages too, so that lines of both do not interleave.
    let standardError: EventStream?
    private let elsewhere: EventStream?

    /// Opens the destinations, waiting for a FIFO's reader; throws `cannotOpenFile`.
    init(_ plan: MessagePlan, empties: Bool = true) throws(URLError) {
        let output: OutputDescriptor?
        switch plan.events {
        case .standardError:
            (standardError, elsewhere) = (EventStream(.standardError, .json), nil)
            return
        // The file contains URLs and header fields, so only its owner may read it, like a HAR file.
        case .file(let path):
            output = try OutputDescriptor(creating: path, empties: empties)
            if !empties { output?.endLine() }
        case .descriptor(let number): output = OutputDescriptor(number)
        case nil: output = nil
        }
        // No stream for a terminal: its user may stop the output, and it shows bars too.
        let isBuffered = plan.verbosity == .everything && isatty(STDERR_FILENO) == 0
        standardError = isBuffered ? EventStream(.standardError, .text) : nil
        elsewhere = output.map { EventStream($0, .json) }
    }

    private init() { (standardError, elsewhere) = (nil, nil) }

    /// Whether events are written to a terminal, where other output would interleave with them.
    var isOnTerminal: Bool { elsewhere?.isOnTerminal ?? false }

    /// Whether any stream is open.
    var isFollowed: Bool { standardError != nil || elsewhere != nil }

    var places: [FilePlace] { [standardError, elsewhere].compactMap { $0?.place } }

    func post(_ event: SessionEvent) {
        standardError?.post(.call(event))
        elsewhere?.post(.call(event))
    }

    /// Writes an event, and returns whether it was; the reader may read nothing for at most 5 s.
    func write(_ event: SessionEvent) -> Bool {
        // If the reader has closed standard error, it needs no event.
        standardError?.write { .call(event) }
        return elsewhere?.write(.call(event), timeout: Self.timeout) ?? true
    }

    /// How long a reader of another stream than standard error may read nothing.
    private static let timeout: Duration = .seconds(5)

    /// Blocks until the readers have read everything, and reports lost events.
    ///
    /// Standard error has no time limit, as in any program. Another reader may read nothing for at
    /// most five seconds. After a signal, both together have half a second, and `say` must not
    /// block.
    func finish(isCutShort: Bool, say: (String) -> Void) {
        let now = MonotonicInstant.now
        // The first stream ends earlier, so that the other can report its loss.
        let ends: (elsewhere: MonotonicInstant, standardError: MonotonicInstant)? =
            isCutShort ? (now + .milliseconds(400), now + .milliseconds(500)) : nil
        if let elsewhere, let loss = elsewhere.finish(timeout: Self.timeout, by: ends?.elsewhere) {
            let reason = loss.reason ?? "\(elsewhere.name): the reader is too slow"
            say("\(ByteText.count(loss.count, "event")) could not be written: \(reason)")
        }
        _ = standardError?.finish(timeout: nil, by: ends?.standardError)
    }
}

extension OutputDescriptor {
    /// Ends the partial last line, left by another program, of a file that is appended to.
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
