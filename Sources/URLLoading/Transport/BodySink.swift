/// The destination of a hop's body; used only on the transport's thread.
///
/// Each method throws the error that the hop ends with.
protocol BodySink: AnyObject {
    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict

    /// Whether the sink has passed on all bytes that it took. If not, the hop does not end, and takes no
    /// further bytes.
    var isDrained: Bool { get }

    /// Passes on bytes that the sink took earlier, because the reader may have made room; returns `full` where
    /// bytes remain.
    func flushPending() throws(URLError) -> SinkVerdict

    /// Applies the decision about a part of the body, for which the sink has asked.
    func decide(_ disposition: BodyDisposition)

    /// Handles the end of a loop's iteration: passes on bytes that should not wait for more.
    func iterationEnded() throws(URLError)

    /// The deadline for the next call of ``iterationEnded()`` even if no byte arrives; `nil`: none.
    var nextDeadline: MonotonicInstant? { get }

    /// Whether the sink needs no further bytes. The caller checks it even if no byte arrives.
    var hasEnough: Bool { get }

    /// Handles the end of the body, which may be incomplete, and adds to the report to the client.
    func finish(_ end: HopEnd) throws(URLError)
}

extension BodySink {
    var isDrained: Bool { true }

    func flushPending() -> SinkVerdict { .taken }

    func decide(_ disposition: BodyDisposition) {}

    var nextDeadline: MonotonicInstant? { nil }

    var hasEnough: Bool { false }
}

/// The result of passing a piece to a sink.
enum SinkVerdict {
    /// The sink has taken the piece.
    case taken
    /// The sink has no room; the caller passes the same piece again after a wake.
    case full
    /// The sink has taken the piece, and needs no further bytes.
    case enough
}

/// A sink that processes a body and passes it to another sink.
protocol ForwardingSink: BodySink {
    var sink: any BodySink { get }
}

extension ForwardingSink {
    var isDrained: Bool { sink.isDrained }

    func flushPending() throws(URLError) -> SinkVerdict { try sink.flushPending() }

    func decide(_ disposition: BodyDisposition) { sink.decide(disposition) }

    func iterationEnded() throws(URLError) { try sink.iterationEnded() }

    var nextDeadline: MonotonicInstant? { sink.nextDeadline }

    var hasEnough: Bool { sink.hasEnough }

    func finish(_ end: HopEnd) throws(URLError) { try sink.finish(end) }
}

/// A forwarding sink that sees each piece once, after the next sink has taken it.
protocol ObservingSink: ForwardingSink {
    /// Whether the next sink stopped before the end, so that the noted bytes are incomplete.
    var isCutShort: Bool { get set }

    /// Processes bytes that the next sink has taken.
    func note(_ bytes: UnsafeRawBufferPointer)
}

extension ObservingSink {
    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        let verdict = try sink.take(bytes)
        switch verdict {
        // The caller passes the same piece again.
        case .full: break
        case .taken: note(bytes)
        case .enough: isCutShort = true
        }
        return verdict
    }

    func flushPending() throws(URLError) -> SinkVerdict {
        let verdict = try sink.flushPending()
        if verdict == .enough { isCutShort = true }
        return verdict
    }
}
