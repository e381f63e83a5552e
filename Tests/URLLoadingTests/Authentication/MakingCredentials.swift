@testable import URLLoading

/// A protection space for tests.
func space(
    _ host: String = "h.example",
    realm: String? = "r",
    scheme: String = "https",
    method: String = NSURLAuthenticationMethodHTTPBasic
) -> URLProtectionSpace {
    URLProtectionSpace(
        host: host,
        port: 443,
        protocol: scheme,
        realm: realm,
        authenticationMethod: method
    )
}

/// A stored credential for tests.
func stored(
    _ user: String,
    _ password: String = "pw",
    _ space: URLProtectionSpace = space()
) -> StoredCredential {
    StoredCredential(key: space.key, user: user, password: Secret(password))
}
