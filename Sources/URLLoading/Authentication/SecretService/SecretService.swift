import Glibc
import Synchronization

/// The user's key store, as GNOME, KDE and KeePassXC offer it: the
/// [Secret Service](https://specifications.freedesktop.org/secret-service/latest/), over D-Bus.
///
/// Each errand has a connection of its own, and an end: 5 s, and 2 minutes where a person is asked to
/// unlock the key store. A bus that once did not answer is not asked again.
package final class SecretService: CredentialStore {
    /// How long an errand may take; a service that is only just being started takes one.
    static let timeout: Duration = .seconds(5)

    private let addresses: [String]
    private let timeout: Duration
    private let library: String
    private let mayAsk: Bool
    /// Why it is not to be had, once that is known.
    private let absence = Mutex<String?>(nil)

    /// - Parameters:
    ///   - mayAsk: whether the user may be asked to unlock the key store.
    ///   - environment: the value of an environment variable.
    package convenience init(
        mayAsk: Bool,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        self.init(mayAsk: mayAsk, MessageBus.addresses(environment))
    }

    /// - Parameters:
    ///   - mayAsk: whether the user may be asked to unlock the key store.
    ///   - addresses: of the session's bus, as D-Bus writes them; the first that answers counts.
    ///   - timeout: how long an errand may take in which the user is not asked.
    ///   - library: the name of the library that speaks D-Bus.
    init(
        mayAsk: Bool,
        _ addresses: [String],
        timeout: Duration = SecretService.timeout,
        library: String = MessageBus.libraryName
    ) {
        self.mayAsk = mayAsk
        self.addresses = addresses
        self.timeout = timeout
        self.library = library
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
                MessageBus.open(addresses, library: library, deadline: .now + timeout),
                mayAsk: mayAsk
            )
            return try errand(&session)
        } catch {
            if case .unavailable(let reason) = error, error != .homeless {
                absence.withLock { $0 = reason }
            }
            throw error
        }
    }
}

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
