import Glibc
import Synchronization

/// The user's key store, as GNOME, KDE and KeePassXC offer it: the
/// [Secret Service](https://specifications.freedesktop.org/secret-service/latest/), over D-Bus.
///
/// Each operation has a connection of its own and a time limit: 5 s, or 2 minutes where the user is
/// asked to unlock the key store. A bus that once did not respond is not asked again.
package final class SecretService: CredentialStore {
    /// The time limit of an operation; starting a service takes a second.
    static let timeout: Duration = .seconds(5)

    private let addresses: [String]
    private let timeout: Duration
    private let libraries: [String]
    private let mayAsk: Bool
    /// Why there is no service, once that is known.
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
    ///   - addresses: of the session's bus, as D-Bus writes them; the first that responds is used.
    ///   - timeout: how long an operation may take in which the user is not asked.
    ///   - libraries: the names of those that speak D-Bus; the first that is there counts.
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
            if case .unavailable(let reason) = error, error != .homeless {
                absence.withLock { $0 = reason }
            }
            throw error
        }
    }
}
