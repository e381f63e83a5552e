extension SessionSettings {
    /// Whose answers a session may share: what it is told of servers beyond their URLs, in one text;
    /// `nil`: it shares with all that are told nothing.
    ///
    /// One URL is another server's behind a Unix socket or an address of one's own, and what came
    /// from a server that need not prove who it is serves nobody who wants the proof.
    ///
    /// - Parameters:
    ///   - identity: who one is to the server.
    ///   - isSecure: whether the request goes over TLS.
    /// - Returns: the text.
    func cacheScope(_ identity: String?, isSecure: Bool) -> String? {
        var words: [String] = []
        if let identity { words.append(identity) }
        if let socket = transport.unixSocketPath { words.append("socket \(socket)") }
        if !transport.resolve.isEmpty {
            words.append("resolve \(transport.resolve.joined(separator: " "))")
        }
        if isSecure {
            if !transport.trust.verifiesServer { words.append("unverified") }
            if let file = transport.trust.certificateAuthorityFile {
                words.append("authorities \(file)")
            }
            if let folder = transport.trust.certificateAuthorityFolder {
                words.append("authorities in \(folder)")
            }
        }
        return words.isEmpty ? nil : words.joined(separator: "\n")
    }
}
