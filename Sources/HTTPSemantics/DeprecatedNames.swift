// Public names of version 1.0 for which there are plainer names now. Cases of enumerations keep their names: no
// alias would serve a pattern that binds a value, or a switch without a default.

/// The earlier name of ``CredentialError``.
@available(*, deprecated, renamed: "CredentialError")
public typealias CredentialFlaw = CredentialError

/// The earlier name of ``StoredHead``.
@available(*, deprecated, renamed: "StoredHead")
public typealias StoredAnswer = StoredHead

/// The earlier name of ``DigestCredentials``.
@available(*, deprecated, renamed: "DigestCredentials")
public typealias DigestAnswer = DigestCredentials

extension DigestAuthentication {
    /// The credentials for a request, as ``credentials(method:target:body:cnonce:)``.
    @available(*, deprecated, renamed: "credentials(method:target:body:cnonce:)")
    public mutating func answer(
        method: String,
        target: String,
        body: DigestBody,
        cnonce: String = Self.freshNonce()
    ) throws(CredentialError) -> DigestCredentials {
        try credentials(method: method, target: target, body: body, cnonce: cnonce)
    }
}

extension CacheRequest {
    /// Whether the cache may respond with a stored response.
    @available(*, deprecated, renamed: "mayBeServed")
    public var mayBeAnswered: Bool { mayBeServed }
}

extension RetryFailure {
    /// The reason why no attempt can continue the delivered part.
    @available(*, deprecated, renamed: "blocker")
    public var obstacle: String? {
        get { blocker }
        set { blocker = newValue }
    }
}
