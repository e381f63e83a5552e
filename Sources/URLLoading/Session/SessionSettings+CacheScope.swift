extension SessionSettings {
    /// Whose answers a session may share: what it is told of servers beyond their URLs, in one text;
    /// `nil`: it shares with all that are told nothing.
    ///
    /// One URL is another server's behind a Unix socket or an address of one's own, and what came
    /// from a server that need not prove who it is serves nobody who wants the proof.
    ///
    /// A request with a secret header has responses of its own, and so has each `Host` that is not
    /// the URL's. Cookies make no difference unless a response varies by them
    /// ([RFC 9111 §4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)).
    ///
    /// - Parameters:
    ///   - request: the request as it is sent.
    ///   - proxy: what stands in its way.
    /// - Returns: the text.
    func cacheScope(_ request: PreparedRequest, _ proxy: ProxyServer?) -> String? {
        var words: [String] = []
        for name in ["Host"] + transport.secretHeaders {
            for field in request.fields where HTTPHeaderFields.areSame(field.name, name) {
                words.append("\(name.asciiLowercased) \(field.value)")
            }
        }
        let isSecure = request.isSecure
        // A proxy has the last word about what is not encrypted.
        if !isSecure, let proxy {
            words.append("proxy \(proxy.scheme) \(proxy.host) \(proxy.port)")
        }
        if let socket = transport.unixSocketPath { words.append("socket \(socket)") }
        if !transport.connectTo.isEmpty {
            words.append("connect-to \(transport.connectTo.joined(separator: " "))")
        }
        if !transport.resolve.isEmpty {
            words.append("resolve \(transport.resolve.joined(separator: " "))")
        }
        if isSecure {
            if !transport.trust.verifiesServer { words.append("unverified") }
            if let file = transport.trust.certificateAuthorityFile {
                words.append("authorities \(file) \(Self.stamp(file))")
            }
            if let folder = transport.trust.certificateAuthorityFolder {
                words.append("authorities in \(folder)")
            }
            if let pin = transport.trust.pinnedPublicKey { words.append("pin \(pin)") }
            if let list = transport.trust.revocationListFile {
                words.append("revoked \(list) \(Self.stamp(list))")
            }
            if let ciphers = transport.ciphers { words.append("ciphers \(ciphers)") }
            if let tlsMinimum { words.append("from \(tlsMinimum)") }
            if let tlsMaximum { words.append("to \(tlsMaximum)") }
        }
        return words.isEmpty ? nil : words.joined(separator: "\n")
    }

    /// What changes with a file's content.
    private static func stamp(_ path: String) -> String {
        FileStatus(path).map { "\($0.identity)" } ?? ""
    }
}
