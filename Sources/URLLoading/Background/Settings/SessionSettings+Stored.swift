import FoundationEssentials

// Settings as they are written down for a transfer process.
extension SessionSettings {
    /// All of them but secrets and what has no meaning there: a JSON object, see ``StoredSettings``.
    var stored: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, numbers and lists of them: there is nothing that cannot be encoded.
        let data = (try? encoder.encode(StoredSettings(self))) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// The settings of an ordinary session that does what was written down; `nil` where that is of
    /// another build and not understood: to guess could be to go without a proxy, or trust anybody.
    init?(stored: String) {
        guard
            let known = try? JSONDecoder().decode(StoredSettings.self, from: Data(stored.utf8)),
            let settings = known.settings
        else { return nil }
        self = settings
    }

    /// What of them a transfer process would have to do without, in words: a session that has any
    /// is refused.
    var storingObstacles: [String] {
        var obstacles: [String] = []
        if !protocolClasses.isEmpty {
            obstacles.append("URLProtocol classes, which are the program's own")
        }
        if case .memory? = cookies.storage?.place, cookies.storage?.cookies?.isEmpty == false {
            obstacles.append("cookies that are in this program's memory only")
        }
        if let credentialStorage, credentialStorage !== URLCredentialStorage.shared {
            obstacles.append("credentials that are in this program's memory only")
        }
        if transport.clientKeySecret != nil {
            obstacles.append("the pass phrase of a client certificate's key, which is not stored")
        }
        if transport.proxyCredential?.password?.isEmpty == false
            || proxyDictionary?[kCFProxyPasswordKey] != nil
        {
            obstacles.append("the password for a proxy, which is not stored but in the proxy's URL")
        }
        for (key, value) in (proxyDictionary ?? [:]).sorted(by: { $0.key < $1.key })
        where StoredSettings.ProxyValue(value) == nil {
            obstacles.append("the value of \(key) in the proxies' dictionary")
        }
        return obstacles
    }

    /// The error of a session that has any, but for those that each of its tasks ends with.
    var storingObstacle: BackgroundError? {
        var session = self
        session.protocolClasses = []
        let words = session.storingObstacles
        guard !words.isEmpty else { return nil }
        return .refused("a background session cannot have \(words.joined(separator: "; "))")
    }
}
