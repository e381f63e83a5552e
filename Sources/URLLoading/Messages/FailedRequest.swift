/// The details of a request that got no complete response, beyond the error's code.
///
/// A program decides with them whether to send the same request again. Not in Foundation.
public struct FailedRequest: Sendable, Hashable {
    /// Whether the server may have acted on the request; `false` only if certainly not: the task sent no
    /// byte, or the server refused the stream ([RFC 9113
    /// §8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    ///
    /// The value concerns the hop that failed: earlier requests, with redirects or challenges as
    /// responses, do not count.
    public var mayHaveReachedServer: Bool
    /// The kernel's `errno` of a failed connection attempt; 0: none.
    public var systemError: Int32
    /// The status with which a proxy refused a tunnel; `nil`: none.
    public var proxyStatus: Int?

    /// Creates a value from its parts.
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
