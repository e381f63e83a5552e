extension Apache {
    /// The locations, which each of its servers has.
    ///
    /// The first part of a path selects the authentication:
    ///
    /// | path | authentication |
    /// |---|---|
    /// | `/open/…` | nothing |
    /// | `/basic/…` | Basic |
    /// | `/digest/…` | Digest: MD5 with `qop=auth` |
    /// | `/digest-stale/…` | Digest; the first nonce is invalid, so httpd refuses the right response to it with `stale=true` and another nonce |
    /// | `/digest-once/…` | Digest; a nonce is valid for one request: `nextnonce` names the next, and httpd refuses a second use with `stale=true` |
    /// | `/basic-and-digest/…` | either, both offered at once |
    /// | `/negotiate/…` | Negotiate with a Kerberos ticket |
    /// | `/negotiate-or-basic/…` | the same, or Basic with the user's password in the KDC |
    ///
    /// The rest selects the response:
    ///
    /// | path | response |
    /// |---|---|
    /// | `…/hello.txt` | a text |
    /// | `…/uploads/NAME` | `PUT` stores, `GET` reads back, `DELETE` deletes; see `uploaded` |
    /// | `…/sum` | the SHA-256 of the body sent by `PUT` or `POST`, and its user |
    /// | `/coded/CODING/NAME` | `…/NAME` after `gzip` or `br`, for clients that accept that |
    /// | `…/again/REST` | 307 to `…/REST`, after authentication |
    /// | `/redirect/CODE/REST` | 301, 302, 303, 307 or 308 to `/REST` on the same origin |
    static func locations(folder: TemporaryFolder) -> String {
        let digest = "AuthType Digest\nAuthDigestProvider file\nAuthUserFile digest.users\n"
        let basic = "AuthType Basic\nAuthBasicProvider file\nAuthUserFile basic.users\n"
        let negotiate = """
            AuthType GSSAPI
            GssapiAllowedMech krb5
            GssapiCredStore "keytab:\(folder.path)/http.keytab"

            """
        return common(folder: folder)
            + place("basic", basic)
            + place("digest", digest)
            + place("digest-stale", digest + "ErrorDocument 401 /denied\n")
            + spoiledNonce
            + place("digest-once", digest + "AuthDigestNonceLifetime 0\n")
            + place("basic-and-digest", digest + orBasic(basic))
            + place("negotiate", negotiate)
            + place("negotiate-or-basic", negotiate + "GssapiBasicAuth On\n")
    }

    private static func place(_ name: String, _ directives: String) -> String {
        """
        Alias "/\(name)" "root"
        <Location "/\(name)/">
        AuthName "\(realm)"
        \(directives)Require valid-user
        RedirectMatch 307 "^/\(name)/again/(.*)$" "/\(name)/$1"
        </Location>

        """
    }

    private static func common(folder: TemporaryFolder) -> String {
        let redirects = [301, 302, 303, 307, 308].map {
            "RedirectMatch \($0) \"^/redirect/\($0)/(.*)$\" \"/$1\"\n"
        }
        return redirects.joined()
            + """
            <Directory "\(folder.path)">
            Require all granted
            </Directory>
            ScriptAliasMatch "^/[^/]+/sum$" "\(folder.path)/scripts/sum"
            Alias "/open" "root"
            AliasMatch "^/coded/[a-z]+/(.*)$" "\(folder.path)/root/$1"
            <Location "/coded/gzip/">
            SetOutputFilter DEFLATE
            </Location>
            <Location "/coded/br/">
            SetOutputFilter BROTLI_COMPRESS
            </Location>
            <LocationMatch "^/[^/]+/uploads/">
            Dav On
            </LocationMatch>

            """
    }

    /// Gives a request without a response to a challenge another nonce than httpd's.
    ///
    /// It edits only the challenges of our own page. A nonce must have the right length to count as
    /// stale.
    private static let spoiledNonce = #"""
        Alias "/denied" "root/denied.txt"
        <Location "/denied">
        Header always edit WWW-Authenticate "....\", algorithm" "zzzz\", algorithm" \
        "expr=-z %{HTTP:Authorization}"
        </Location>

        """#

    /// Adds Basic to a location with Digest: a condition on the request changes the kind.
    ///
    /// httpd then offers that kind alone. The Digest challenge after a wrong Basic has a nonce that httpd
    /// did not issue. httpd calls that nonce stale and names another.
    private static func orBasic(_ basic: String) -> String {
        let zeros = String(repeating: "0", count: 40)
        return """
            <If "%{HTTP:Authorization} =~ /^Basic /">
            \(basic)</If>
            Header always add WWW-Authenticate "Basic realm=\\"\(realm)\\"" \
            "expr=%{REQUEST_STATUS} == 401 && %{HTTP:Authorization} !~ /^Basic /"
            Header always add WWW-Authenticate \
            "Digest realm=\\"\(realm)\\", nonce=\\"AAAAAAAAAAA=\(zeros)\\", qop=\\"auth\\"" \
            "expr=%{REQUEST_STATUS} == 401 && %{HTTP:Authorization} =~ /^Basic /"

            """
    }
}
