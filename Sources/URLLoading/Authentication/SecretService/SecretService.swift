import Glibc
import Synchronization

/// The user's key store, as GNOME, KDE and KeePassXC offer it: the
/// [Secret Service](https://specifications.freedesktop.org/secret-service/latest/), over D-Bus.
///
/// Each errand has a connection of its own, and an end: 5 s, and 2 minutes where a person is asked to
/// unlock the key store. A bus that once did not answer is not asked again.
package final class SecretService: CredentialStore {
    /// How long an errand may take; a service that is only just being started takes one.
    static let patience: Duration = .seconds(5)

    private let addresses: [DBusAddress]
    private let patience: Duration
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
        self.init(mayAsk: mayAsk, DBusAddress.session(environment: environment))
    }

    init(mayAsk: Bool, _ addresses: [DBusAddress], patience: Duration = SecretService.patience) {
        self.mayAsk = mayAsk
        self.addresses = addresses
        self.patience = patience
    }

    package func credentials(
        for key: CredentialKey
    ) throws(CredentialStoreError) -> [StoredCredential] {
        try run { session throws(DBusError) in
            try session.credentials(matching: SecretAttributes(key).values)
                .filter { $0.key == key }
        }
    }

    package func allCredentials() throws(CredentialStoreError) -> [StoredCredential] {
        try run { session throws(DBusError) in
            try session.credentials(matching: SecretAttributes.ours)
        }
    }

    package func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        try run { session throws(DBusError) in try session.save(credential) }
    }

    package func remove(
        user: String,
        for key: CredentialKey
    ) throws(CredentialStoreError) -> Bool {
        try run { session throws(DBusError) in
            try session.remove(matching: SecretAttributes(key, user: user).values)
        }
    }

    private func run<Result>(
        _ errand: (inout SecretSession) throws(DBusError) -> Result
    ) throws(CredentialStoreError) -> Result {
        if let reason = absence.withLock(\.self) { throw .unavailable(reason) }
        do throws(DBusError) {
            var session = try SecretSession(
                DBusConnection.open(addresses, deadline: .now + patience),
                mayAsk: mayAsk
            )
            return try errand(&session)
        } catch {
            let failure = CredentialStoreError(error)
            // It may get a collection yet, and can be read meanwhile.
            let isHome = error != .remote(name: SecretSession.homelessName, words: "")
            if isHome, case .unavailable(let reason) = failure { absence.withLock { $0 = reason } }
            throw failure
        }
    }
}

extension CredentialStoreError {
    init(_ error: DBusError) {
        switch error {
        case .unavailable(let reason): self = .unavailable(reason)
        case .timedOut: self = .unavailable("it does not answer")
        case .malformed: self = .unavailable("what answers is no Secret Service")
        case .remote(SecretSession.lockedName, _): self = .locked
        case .remote(SecretSession.dismissedName, _): self = .dismissed
        case .remote(SecretSession.homelessName, _):
            self = .unavailable("it has no default collection")
        case .remote(let name, let words):
            // Of the bus: there is nobody who could have been called.
            let isOfBus = name.startsWithBytes(of: "org.freedesktop.DBus.Error.")
            self =
                isOfBus ? .unavailable(words.isEmpty ? name : words) : .refused("\(name): \(words)")
        }
    }
}
