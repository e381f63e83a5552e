/// A request's body that is read piece by piece while it is sent.
///
/// It is read on the session's transfer thread only, one call at a time, and never waited for: a
/// stream that has nothing yet says which descriptor will tell. A stream is sent once; where the
/// body is wanted again, the delegate is asked for a new one.
public protocol HTTPBodyStream: AnyObject, Sendable {
    /// The length of the whole body, bytes; `nil` where it is known only at its end.
    var contentLength: Int64? { get }

    /// Puts the next bytes of the body into the space, as many as there are and fit.
    ///
    /// Throws what the task shall fail with.
    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead

    /// Goes back to this offset, where it can.
    ///
    /// - Returns: whether the next read starts there.
    func seek(to offset: Int64) -> Bool
}

extension HTTPBodyStream {
    /// A stream goes one way, unless it says otherwise.
    public func seek(to offset: Int64) -> Bool {
        false
    }
}

/// What a read of a body came to.
public enum HTTPBodyStreamRead: Sendable, Hashable {
    /// So many bytes, at least one.
    case bytes(Int)
    /// The body has ended.
    case end
    /// Nothing yet: read again once poll(2) finds this descriptor readable or ended.
    case waitForReadable(CInt)
}
