package import HTTPSemantics

/// The owner of one transfer, which receives all of its events.
///
/// The loop makes, calls and releases a handler on its own thread alone, so a handler needs no lock for
/// its own state. None of its methods may wait.
package protocol TransferHandler: AnyObject {
    /// Called when the server has sent its certificates, if ``TLSOptions/asksAboutServer`` is set.
    ///
    /// libcurl has sent no byte of the request. Without a decision the connection waits, and each iteration
    /// of the loop calls this again with the same certificates. So call ``TransferLoop/wake(_:)`` after the
    /// decision. The certificates are different if libcurl had to make a new connection.
    ///
    /// - Returns: the decision; `nil`: none yet.
    func didReceive(_ trust: PeerTrust) -> TrustDecision?

    /// Called for the complete head of an interim response (1xx); any number of times, before the final
    /// head.
    func didReceive(interim head: ResponseHead)

    /// Called for the complete head of the final response; once, before any byte of the body.
    ///
    /// - Parameters:
    ///   - head: the head.
    ///   - sent: the bytes of the request's body that libcurl has sent so far.
    func didReceive(_ head: ResponseHead, sent: Int64)

    /// Called with the next piece of the response's body, 16 KiB at most.
    ///
    /// The bytes are valid only during the call. After `.pause`, the loop delivers the same piece again
    /// as soon as the handler calls ``TransferControl/resumeReceiving()``.
    func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict

    /// Called for the next piece of the request's body, as much as fits.
    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply

    /// Called when libcurl wants to send the body again from an offset.
    ///
    /// - Parameters:
    ///   - offset: counted in bytes from the body's beginning.
    ///   - wasRefused: whether the server has reported that it has not acted on the sent part; known
    ///     only with ``TransferRequest/notesRefusals``.
    /// - Returns: whether the next ``supplyBody(_:)`` starts there.
    func rewindBody(to offset: Int64, wasRefused: Bool) -> Bool

    /// Called at the end of an iteration of the loop that has changed this transfer.
    ///
    /// - Parameter sent: the bytes of the request's body that libcurl has sent so far.
    /// - Returns: the moment of the next call without an event; `nil`: none.
    func didIterate(sent: Int64) -> MonotonicInstant?

    /// Called after ``TransferLoop/wake(_:)`` for this transfer, possibly after its end.
    func didWake(_ control: any TransferControl)

    /// Called for a piece of libcurl's trace, if ``TransferRequest/tracesTransfer`` is set.
    ///
    /// The bytes are valid only during the call; they may contain credentials.
    func didTrace(_ kind: TraceKind, _ bytes: UnsafeRawBufferPointer)

    /// Called once at the end of the transfer; afterwards the loop calls only ``didWake(_:)``.
    func didComplete(_ outcome: TransferOutcome, _ control: any TransferControl)
}

extension TransferHandler {
    /// Accepts OpenSSL's verdict.
    package func didReceive(_ trust: PeerTrust) -> TrustDecision? { .byVerdict }

    /// Ignores the head, for handlers that need no interim responses.
    package func didReceive(interim head: ResponseHead) {}

    /// Ignores the trace, for handlers that do not need it.
    package func didTrace(_ kind: TraceKind, _ bytes: UnsafeRawBufferPointer) {}
}

/// A handler's verdict on a piece of the response's body.
package enum ReceiveVerdict: Sendable {
    /// The handler has taken the piece.
    case taken
    /// The handler has not taken the piece: the loop delivers it again when the handler resumes.
    case pause
    /// Ends the transfer with ``TransferFailure/Reason/stoppedByHandler``.
    case stop
}

/// A handler's response to a request for a piece of the body.
package enum BodySupply: Sendable, Hashable {
    /// The handler has written this number of bytes to the space, at least one.
    case bytes(Int)
    /// The body has ended.
    case end
    /// No bytes yet; the loop asks again when this descriptor is readable or closed.
    case waitForReadable(CInt)
    /// No bytes now, since the transfer's rate limit has paused the body.
    case pause
    /// Ends the transfer with ``TransferFailure/Reason/stoppedByHandler``.
    case stop
}

/// The calls that a handler may make for its own transfer, while the loop calls it.
package protocol TransferControl: AnyObject {
    /// Resumes after ``ReceiveVerdict/pause``; the piece may arrive before this returns.
    func resumeReceiving()

    /// Makes the loop release the handler after its transfer has ended.
    ///
    /// Without this call, the loop keeps the handler of an ended transfer, and can wake it.
    func release()
}

/// The kind of a piece of libcurl's trace of a transfer.
package enum TraceKind: Sendable {
    /// libcurl's own text about names, connections and TLS.
    case note
    /// A sent head: of the request, or of a CONNECT before it.
    case sent
    /// A received line of a head, with its line end.
    case received
}
