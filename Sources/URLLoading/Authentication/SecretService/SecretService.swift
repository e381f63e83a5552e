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
