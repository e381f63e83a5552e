public import FoundationEssentials

/// What takes what a ``URLProtocol`` loads, as Foundation's `URLProtocolClient`: the library.
///
/// All of it may be called from any thread. A response comes first, then data, then one end. What
/// comes out of order, twice, or after the end or ``URLProtocol/stopLoading()``, is ignored.
public protocol URLProtocolClient: AnyObject {
    /// The load goes on with another request; the delegate is asked where the response is HTTP's.
    ///
    /// In the place of a response, and the end. A request for a file of this machine, or for the
    /// data in a URL, fails the task with `unsupportedURL`.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - request: what to load; credentials among its fields stay with their origin.
    ///   - redirectResponse: the response that said so.
    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    )

    /// The response's description. Taken as it is: a status of 3xx or 401 has no consequences.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - response: the description.
    ///   - policy: what may be kept of the response.
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )

    /// The response that the cache has is still good: the response, its data and the end in one.
    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    )

    /// The next piece of the body.
    ///
    /// Where 1 MiB is buffered, since the delegate or disk is slow or the task is suspended, this
    /// blocks. It returns once half of that is gone, or the load ends. So a thread that calls this
    /// must be one that may wait.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - data: the piece.
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

    /// The body has ended.
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

    /// It cannot be loaded, or not to its end.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - error: why; what is no `URLError` becomes one with the code `unknown`.
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)

    /// Asks the delegates for a credential; the challenge's `sender` receives it, on the protocol's queue.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - challenge: what is asked.
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)

    /// Takes a challenge back: its disposition is not forwarded.
    ///
    /// - Parameters:
    ///   - protocol: the sender.
    ///   - challenge: what was asked.
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

/// The sender of a challenge, as Foundation's `URLAuthenticationChallengeSender`: a ``URLProtocol``
/// that wants to hear the response.
///
/// Exactly one of these is called for a challenge, unless the load ends or it is taken back.
public protocol URLAuthenticationChallengeSender: AnyObject, Sendable {
    /// This credential is to be used.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)

    /// It is to be tried without any.
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)

    /// The load is to be given up.
    func cancel(_ challenge: URLAuthenticationChallenge)

    /// The delegates leave it to the default.
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)

    /// Nothing is known for this space; the next may be tried.
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

extension URLAuthenticationChallengeSender {
    /// Goes on as if there were no credential.
    public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }

    /// Goes on as if there were no credential.
    public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }
}
