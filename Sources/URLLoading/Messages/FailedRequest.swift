/// What is known of a request that got no whole response, beyond the kind of its error.
///
/// Not in Foundation: it is what decides whether the same request may be sent again.
public struct FailedRequest: Sendable, Hashable {
    /// Whether the server may have acted on the request; `false` only where that is certain: no byte
    /// of it has left, or its stream was refused
    /// ([RFC 9113 §8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    ///
    /// It is about the hop that failed: requests before it, whose responses were redirects or
    /// challenges, do not count.
    public var mayHaveReachedServer: Bool
    /// The kernel's `errno` of a connection that could not be made; 0 where it has none.
    public var systemError: Int32
    /// The status with which a proxy refused a tunnel; `nil` where it did not.
    public var proxyStatus: Int?

    /// Says what is known.
    public init(
        mayHaveReachedServer: Bool,
        systemError: Int32 = 0,
        proxyStatus: Int? = nil
    ) {
        self.mayHaveReachedServer = mayHaveReachedServer
        self.systemError = systemError
        self.proxyStatus = proxyStatus
    }
}
