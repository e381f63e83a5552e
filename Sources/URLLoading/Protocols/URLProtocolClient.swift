public import FoundationEssentials

/// The receiver of a ``URLProtocol``'s response, as Foundation's `URLProtocolClient`; the library
/// implements it.
///
/// Any thread may call it. A response comes first, then data, then one end. The client ignores a call that
/// is out of order, repeated, or after the end or ``URLProtocol/stopLoading()``.
public protocol URLProtocolClient: AnyObject {
    /// The load continues with another request; the task asks the delegate if the response is an HTTP
    /// response.
    ///
    /// This call replaces the response and the end. A request for a local file, or for a `data:` URL,
    /// fails the task with `unsupportedURL`.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - request: the new request; the task sends its credentials only to their origin.
    ///   - redirectResponse: the redirect.
    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    )

    /// The response, which the task delivers unchanged: a status of 3xx or 401 has no effect.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - response: the response.
    ///   - policy: has no effect: the session stores no response of a protocol. The protocol itself may store
    ///     it (``URLCache``).
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )

    /// The cached response is valid: it replaces the response, its data and the end.
    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    )

    /// The next piece of the body.
    ///
    /// This call blocks when the buffer has 1 MiB, because the delegate or the disk is slow, or the caller
    /// has suspended the task. It returns when the buffer has half of that, or the load ends. Call it on a
    /// thread that may block.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - data: the piece.
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

    /// The body has ended.
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

    /// The load has failed, before or within the response.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - error: the error; any other type becomes a `URLError` with the code `unknown`.
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)

    /// Asks the delegates for a credential; the challenge's `sender` receives the reply, on the
    /// protocol's queue.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - challenge: the challenge.
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)

    /// Cancels a challenge: its disposition is not forwarded.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - challenge: the challenge.
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

/// The sender of a challenge, as Foundation's `URLAuthenticationChallengeSender`: a ``URLProtocol``
/// that receives the disposition.
///
/// The task calls exactly one method for a challenge, unless the load ends or cancels the challenge.
public protocol URLAuthenticationChallengeSender: AnyObject, Sendable {
    /// Use this credential.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)

    /// Continue without a credential.
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)

    /// Cancel the load.
    func cancel(_ challenge: URLAuthenticationChallenge)

    /// Apply the default handling, as a delegate decided.
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)

    /// Try the next space, because a delegate rejected this one.
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

extension URLAuthenticationChallengeSender {
    /// Continues without a credential.
    public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }

    /// Continues without a credential.
    public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }
}
