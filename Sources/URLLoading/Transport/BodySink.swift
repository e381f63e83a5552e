/// Where a hop's body goes, on the transport's thread and nowhere else.
protocol BodySink: AnyObject {
    /// Takes a piece, or says why not.
    ///
    /// Throws what the hop shall fail with.
    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict

    /// Whether all that was taken has been handed on: else the hop does not end, and nothing more
    /// is taken.
    var isDrained: Bool { get }

    /// Goes on with what was taken and not handed on: the reader may have made room for it.
    ///
    /// - Returns: `full` where some of it is left.
    /// - Throws: what the hop shall fail with.
    func goOn() throws(URLError) -> SinkVerdict

    /// Takes what was decided about a part of the body, about which the sink has asked.
    func decide(_ disposition: BodyDisposition)

    /// An iteration of the loop is over: hand on what should not wait for more.
    func iterationEnded() throws(URLError)

    /// When ``iterationEnded()`` must be called again, though nothing more has come; `nil`: not then.
    var nextDeadline: MonotonicInstant? { get }

    /// Whether it wants no more of the body, though nothing has come to which it could say so.
    var hasEnough: Bool { get }

    /// The body has ended, whole or not.
    ///
    /// - Parameter end: what will be reported to the client.
    /// - Throws: what the hop shall fail with.
    func finish(_ end: inout HopEnd) throws(URLError)
}

extension BodySink {
    /// What is taken is handed on, or waits for more.
    var isDrained: Bool { true }

    /// There is nothing to go on with.
    func goOn() -> SinkVerdict { .taken }

    /// The delegate was not asked about parts.
    func decide(_ disposition: BodyDisposition) {}

    /// What comes is handed on, or waits for more to come.
    var nextDeadline: MonotonicInstant? { nil }

    /// What comes is wanted.
    var hasEnough: Bool { false }
}

/// What a sink did with a piece.
enum SinkVerdict {
    /// It took it.
    case taken
    /// It has no room: bring it again once woken.
    case full
    /// It took it, and wants no more.
    case enough
}

/// A sink that looks at a body on its way to another, which does all else.
protocol ForwardingSink: BodySink {
    /// The other.
    var sink: any BodySink { get }
}

extension ForwardingSink {
    var isDrained: Bool { sink.isDrained }

    func goOn() throws(URLError) -> SinkVerdict { try sink.goOn() }

    func decide(_ disposition: BodyDisposition) { sink.decide(disposition) }

    func iterationEnded() throws(URLError) { try sink.iterationEnded() }

    var nextDeadline: MonotonicInstant? { sink.nextDeadline }

    var hasEnough: Bool { sink.hasEnough }

    func finish(_ end: inout HopEnd) throws(URLError) { try sink.finish(&end) }
}

/// A forwarding sink that counts each piece once, and of whether the body comes to its end.
protocol ObservingSink: ForwardingSink {
    /// Whether the body is not wanted to its end, so that what was noted is not of the whole.
    var isCutShort: Bool { get set }

    /// Takes note of bytes that the other sink has taken.
    func note(_ bytes: UnsafeRawBufferPointer)
}

extension ObservingSink {
    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        let verdict = try sink.take(bytes)
        switch verdict {
        // The same piece comes again.
        case .full: break
        case .taken: note(bytes)
        case .enough: isCutShort = true
        }
        return verdict
    }

    func goOn() throws(URLError) -> SinkVerdict {
        let verdict = try sink.goOn()
        if verdict == .enough { isCutShort = true }
        return verdict
    }
}
