import Synchronization

/// The user's key store, as GNOME, KDE and KeePassXC offer it: the
/// [Secret Service](https://specifications.freedesktop.org/secret-service/latest/), over D-Bus.
///
/// Each operation has its own connection and a time limit: 5 s, or 2 minutes if the service prompts the user
/// to unlock the key store. We do not use a bus again that did not respond once.
package final class SecretService: CredentialStore {
    /// The time limit of an operation; starting a service takes about a second.
    static let timeout: Duration = .seconds(5)

    private let addresses: [String]
    private let timeout: Duration
    private let libraries: [String]
    private let mayAsk: Bool
    /// The reason why no service is available, set by the first operation that finds out.
    private let absence = Mutex<String?>(nil)

    /// - Parameters:
    ///   - mayAsk: whether the service may prompt the user to unlock the key store.
    ///   - environment: returns the value of an environment variable.
    package convenience init(
        mayAsk: Bool,
        environment: (String) -> String? = Environment.value
    ) { self.init(mayAsk: mayAsk, MessageBus.addresses(environment)) }

    /// Uses the first address that responds, and the first library that exists.
    init(
        mayAsk: Bool,
        _ addresses: [String],
        timeout: Duration = SecretService.timeout,
        libraries: [String] = MessageBus.libraryNames
    ) {
        self.mayAsk = mayAsk
        self.addresses = addresses
        self.timeout = timeout
        self.libraries = libraries
    }

    package func credentials(
        for key: CredentialKey
    ) throws(CredentialStoreError) -> [StoredCredential] {
        try run { session throws(CredentialStoreError) in
            try session.credentials(matching: SecretAttributes(key).values)
                .filter { $0.key == key }
        }
    }

    package func allCredentials() throws(CredentialStoreError) -> [StoredCredential] {
        try run { session throws(CredentialStoreError) in
            try session.credentials(matching: SecretAttributes.ours)
        }
    }

    package func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        try run { session throws(CredentialStoreError) in try session.save(credential) }
    }

    package func remove(
        user: String,
        for key: CredentialKey
    ) throws(CredentialStoreError) -> Bool {
        try run { session throws(CredentialStoreError) in
            try session.remove(matching: SecretAttributes(key, user: user).values)
        }
    }

    private func run<Result>(
        _ errand: (inout SecretSession) throws(CredentialStoreError) -> Result
    ) throws(CredentialStoreError) -> Result {
        if let reason = absence.withLock(\.self) { throw .unavailable(reason) }
        do throws(CredentialStoreError) {
            var session = try SecretSession(
                MessageBus.open(addresses, libraries: libraries, deadline: .now + timeout),
                mayAsk: mayAsk
            )
            return try errand(&session)
        } catch {
            if case .unavailable(let reason) = error, error != .noCollection {
                absence.withLock { $0 = reason }
            }
            throw error
        }
    }
}

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

    private static func text(of value: String) -> String {
        guard value.startsWithBytes(of: prefix) else { return value }
        let rest = value.utf8.dropFirst(prefix.utf8.count)
        return Substring(rest).percentDecoded ?? value
    }
}
