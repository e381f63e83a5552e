/// What an item in the key store is found by.
///
/// All names are always there, so that no item's attributes are part of another's.
struct SecretAttributes {
    /// What all items of this program have.
    static var ours: [String: String] {
        ["xdg:schema": "URLLoading.Credential", "program": UserFolders.program]
    }

    private(set) var values: [String: String]

    /// Those of a key, and of one user or all.
    init(_ key: CredentialKey, user: String? = nil) {
        values = Self.ours
        values["host"] = key.host
        values["port"] = String(key.port)
        values["protocol"] = key.protocol ?? ""
        values["proxy"] = key.proxyType ?? ""
        values["realm"] = key.realm ?? ""
        values["has-realm"] = key.realm == nil ? "no" : "yes"
        values["method"] = key.method
        values["user"] = user
    }

    /// What an item's attributes say; `nil` where they are not ours.
    static func read(_ values: [String: String]) -> (key: CredentialKey, user: String)? {
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
