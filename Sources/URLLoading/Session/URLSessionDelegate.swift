/// What a session tells its delegate about itself.
///
/// Every method of every delegate is called on the session's delegate queue, one at a time.
public protocol URLSessionDelegate: AnyObject, Sendable {
    /// The session is invalid and all its tasks have ended. Once; the delegate is released after
    /// it returns.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: always `nil`: a session becomes invalid only because it was told to.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

extension URLSessionDelegate {
    /// Nothing.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
}
