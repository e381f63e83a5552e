package import HTTPSemantics

/// The owner of one transfer, which receives all of its events.
///
/// A handler is made, called and released on the loop's thread and nowhere else, so it needs no
/// lock for what is its own. None of its methods may wait.
package protocol TransferHandler: AnyObject {
    /// The server has shown its certificates, where ``TLSOptions/asksAboutServer`` says so.
    ///
    /// No byte of the request was sent. Without a decision the connection waits, and each iteration of the
    /// loop calls this again with the same certificates. So call ``TransferLoop/wake(_:)`` after the
    /// decision. The certificates are others if a new connection had to be made.
    ///
    /// - Returns: the decision; `nil`: not decided yet.
    func didReceive(_ trust: PeerTrust) -> TrustDecision?

    /// The head of an interim response (1xx) is complete; any number of times, before the final one.
    func didReceive(interim head: ResponseHead)

    /// The head of the final response is complete. Once, before any byte of the body.
    func didReceive(_ head: ResponseHead)

    /// The next piece of the response's body, 16 KiB at most. The bytes are gone afterwards.
    ///
    /// With `.pause` the same piece is delivered again after ``TransferControl/resumeReceiving()``.
    func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict

    /// Asks for the next piece of the request's body, as much as fits.
    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply

    /// libcurl wants to send the body again from this offset.
    ///
    /// - Parameters:
    ///   - offset: counted from the body's beginning, bytes.
    ///   - wasRefused: whether the server has not acted on what was sent of it, and has said so;
    ///     known only where ``TransferRequest/notesRefusals`` asks for it.
    /// - Returns: whether the next ``supplyBody(_:)`` starts there.
    func rewindBody(to offset: Int64, wasRefused: Bool) -> Bool

    /// An iteration of the loop in which something happened to this transfer is over.
    ///
    /// - Parameter sent: the bytes of the request's body that have left so far.
    /// - Returns: when this is to be called again, though nothing happens; `nil`: not then.
    func didIterate(sent: Int64) -> MonotonicInstant?

    /// ``TransferLoop/wake(_:)`` was called for this transfer, possibly after its end.
    func didWake(_ control: any TransferControl)

    /// A line of libcurl's trace, where ``TransferRequest/tracesTransfer`` asks for it.
    func didTrace(_ trace: TransferTrace)

    /// The transfer has ended. Once; afterwards only ``didWake(_:)`` is called.
    func didComplete(_ outcome: TransferOutcome, _ control: any TransferControl)
}

extension TransferHandler {
    /// What OpenSSL says.
    package func didReceive(_ trust: PeerTrust) -> TrustDecision? { .byVerdict }

    /// Does nothing: a handler need not want interim responses.
    package func didReceive(interim head: ResponseHead) {}

    /// Does nothing: a handler need not want the trace.
    package func didTrace(_ trace: TransferTrace) {}
}

/// What becomes of a piece of the response's body.
public enum ReceiveVerdict: Sendable {
    /// It was taken.
    case taken
    /// It was not taken: bring it again when asked.
    case pause
    /// The transfer ends with ``TransferFailure/Reason/stoppedByHandler``.
    case stop
}

/// What there is of the request's body.
public enum BodySupply: Sendable, Hashable {
    /// So many bytes were put into the space, at least one.
    case bytes(Int)
    /// The body has ended.
    case end
    /// Nothing yet; ask again when this descriptor has something, or has ended.
    case waitForReadable(CInt)
    /// Not now; the transfer's rate says when.
    case pause
    /// The transfer ends with ``TransferFailure/Reason/stoppedByHandler``.
    case stop
}

/// What a handler may ask of the loop for its own transfer, while the loop is calling it.
public protocol TransferControl: AnyObject {
    /// Goes on after ``ReceiveVerdict/pause``. The piece may come before this returns.
    func resumeReceiving()

    /// Lets the handler go once its transfer has ended. Until it is called, a handler whose
    /// transfer has ended is kept and can be woken.
    func release()
}

/// A piece of libcurl's trace of a transfer, where ``TransferRequest/tracesTransfer`` asks for it.
public struct TransferTrace: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// libcurl's own words: about names, connections and TLS.
        case note
        /// A head that leaves: of the request, or of a CONNECT before it.
        case sent
        /// A received line of a head, with its end.
        case received
    }

    /// What it is.
    public let kind: Kind
    /// The bytes; credentials may be among them.
    public let bytes: [UInt8]

    init(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
        self.kind = kind
        self.bytes = Array(bytes)
    }
}
