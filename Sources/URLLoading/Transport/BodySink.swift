/// Where a hop's body goes, on the transport's thread and nowhere else.
protocol BodySink: AnyObject {
    /// Takes a piece, or says why not.
    ///
    /// Throws what the hop shall fail with.
    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict

    /// A turn of the loop is over: hand on what should not wait for more.
    func turnEnded() throws(URLError)

    /// When ``turnEnded()`` must be called again, though nothing more has come; `nil`: not then.
    var nextTurn: ContinuousClock.Instant? { get }

    /// The body has ended, whole or not.
    ///
    /// - Parameter end: what the client is going to be told.
    /// - Throws: what the hop shall fail with.
    func finish(_ end: inout HopEnd) throws(URLError)
}

extension BodySink {
    /// What comes is handed on, or waits for more to come.
    var nextTurn: ContinuousClock.Instant? { nil }
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
