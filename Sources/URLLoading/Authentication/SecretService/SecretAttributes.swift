import HTTPSemantics

/// The attributes that identify an item in the key store.
///
/// Every item has all attributes, so that no item's attributes are a subset of another's.
struct SecretAttributes {
    /// The attributes that all items of this program have.
    static var ours: [String: String] {
        ["xdg:schema": "URLLoading.Credential", "program": spelling(of: UserFolders.program)]
    }

    private(set) var values: [String: String]

    /// The attributes of a key, for one user or all.
    init(_ key: CredentialKey, user: String? = nil) {
        values = Self.ours
        values["host"] = Self.spelling(of: key.host)
        values["port"] = String(key.port)
        values["protocol"] = Self.spelling(of: key.protocol ?? "")
        values["proxy"] = Self.spelling(of: key.proxyType ?? "")
        values["realm"] = Self.spelling(of: key.realm ?? "")
        values["has-realm"] = key.realm == nil ? "no" : "yes"
        values["method"] = Self.spelling(of: key.method)
        values["user"] = user.map(Self.spelling(of:))
    }

    /// The key and user from an item's attributes; `nil` where another program created the item.
    static func read(_ values: [String: String]) -> (key: CredentialKey, user: String)? {
        let values = values.mapValues(text(of:))
        guard let host = values["host"], let port = values["port"].flatMap({ Int($0) }),
            let method = values["method"], let user = values["user"],
            let realm = values["realm"], let hasRealm = values["has-realm"]
        else { return nil }
        func named(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        let key = CredentialKey(
            host: host,
            port: port,
            protocol: named("protocol"),
            proxyType: named("proxy"),
            realm: hasRealm == "yes" ? realm : nil,
            method: method
        )
        return (key, user)
    }
}

// Spelling. sd-bus does not transport noncharacters (U+FFFE, U+FDD0), which a server's realm may contain.
extension SecretAttributes {
    /// The prefix of an encoded value.
    private static let prefix = "percent-encoded:"

    /// A text as the value of an attribute; unchanged, if the bus can transport it.
    ///
    /// The encoding is unambiguous: a text that begins with the prefix is encoded too.
    static func spelling(of text: String) -> String {
        guard
            text.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint)
                || text.startsWithBytes(of: prefix)
        else { return text }
        return prefix + encoded(text) { $0 == "%" || $0.properties.isNoncharacterCodePoint }
    }

    /// A text for display, with noncharacters encoded.
    static func label(_ text: String) -> String {
        encoded(text, where: \.properties.isNoncharacterCodePoint)
    }

    private static func encoded(
        _ text: String,
        where isEncoded: (Unicode.Scalar) -> Bool
    ) -> String {
        text.unicodeScalars.reduce(into: "") { encoded, scalar in
            guard isEncoded(scalar) else {
                encoded.unicodeScalars.append(scalar)
                return
            }
            for byte in String(scalar).utf8 { encoded += "%" + [byte].hexText }
        }
    }

    /// The text of an encoded value.
    private static func text(of value: String) -> String {
        guard value.startsWithBytes(of: prefix) else { return value }
        let rest = value.utf8.dropFirst(prefix.utf8.count)
        return Substring(rest).percentDecoded ?? value
    }
}
