/// A store of permanent credentials.
///
/// All methods may wait for disks and other programs, with a time limit. So no caller may be on the loop's
/// thread or hold a lock.
package protocol CredentialStore: Sendable {
    /// All credentials for a key, the one saved last first.
    func credentials(for key: CredentialKey) throws(CredentialStoreError) -> [StoredCredential]

    /// All credentials, the one saved last first.
    func allCredentials() throws(CredentialStoreError) -> [StoredCredential]

    /// Saves a credential, and replaces the same user's for the same key.
    func save(_ credential: StoredCredential) throws(CredentialStoreError)

    /// Removes the credential of a user; returns whether there was one.
    func remove(user: String, for key: CredentialKey) throws(CredentialStoreError) -> Bool
}

/// A user and a password in a key store.
package struct StoredCredential: Sendable, Hashable {
    package let key: CredentialKey
    package let user: String
    package let password: Secret

    package var credential: URLCredential {
        URLCredential(user: user, password: password.text, persistence: .permanent)
    }
}

/// The key of a stored credential: the server or proxy, the realm, and the method.
///
/// The key includes the method, so that we never send a password for Digest by Basic. It includes the
/// protocol, so that we never send a password for `https` over `http`.
package struct CredentialKey: Sendable, Hashable, Codable {
    package let host: String
    package let port: Int
    /// `nil` for a proxy.
    package let `protocol`: String?
    /// `nil` for a server.
    package let proxyType: String?
    package let realm: String?
    package let method: String
}

extension CredentialKey {
    private var parts: [ExactText?] {
        [host, String(port), `protocol`, proxyType, realm, method].map { $0.map { ExactText($0) } }
    }

    package static func == (one: CredentialKey, other: CredentialKey) -> Bool {
        one.parts == other.parts
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
    }

    package var space: URLProtectionSpace {
        URLProtectionSpace(
            host: host,
            port: port,
            protocol: `protocol`,
            proxyType: proxyType,
            realm: realm,
            authenticationMethod: method
        )
    }
}

/// An error of a key store; it never contains a secret.
package enum CredentialStoreError: Error, Sendable, Hashable {
    /// No key store exists, or it does not respond; the value is the reason.
    case unavailable(String)
    /// The key store is locked, and the user must not be prompted.
    case locked
    /// The user refused the prompt.
    case dismissed
    /// The key store refused; the value is its message.
    case refused(String)
    case file(PrivateFileError)
}

extension CredentialStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason): "there is no key store: \(reason)"
        case .locked: "the key store is locked"
        case .dismissed: "the key store was not unlocked"
        case .refused(let words): "the key store refuses: \(words)"
        case .file(.unsafe(let path, let reason)):
            "\(path) is not safe for credentials: \(reason)"
        case .file(.malformed(let path, let reason)):
            "\(path) contains no readable credentials: \(reason)"
        case .file(let error): "\(error)"
        }
    }
}

/// Uses the first key store that responds, and the others for credentials saved earlier.
package struct FallbackCredentialStore: CredentialStore {
    private let stores: [any CredentialStore]

    /// - Parameter stores: the stores, the preferred one first.
    package init(_ stores: [any CredentialStore]) {
        self.stores = stores
    }

    /// The user's stores: the Secret Service if it responds, else a file.
    ///
    /// `mayAsk`: whether the service may prompt the user to unlock the key store.
    package static func system(mayAsk: Bool) -> FallbackCredentialStore {
        let file: (any CredentialStore)? = CredentialFile()
        return FallbackCredentialStore([SecretService(mayAsk: mayAsk)] + [file].compactMap(\.self))
    }

    package func credentials(
        for key: CredentialKey
    ) throws(CredentialStoreError) -> [StoredCredential] {
        try gather { store throws(CredentialStoreError) in try store.credentials(for: key) }
    }

    package func allCredentials() throws(CredentialStoreError) -> [StoredCredential] {
        try gather { store throws(CredentialStoreError) in try store.allCredentials() }
    }

    /// Saves in the first store that replies, and removes older copies from the others.
    package func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        var reason = CredentialStoreError.unavailable("none is configured")
        for (index, store) in stores.enumerated() {
            do throws(CredentialStoreError) {
                try store.save(credential)
                // Otherwise we would use an old password in another store when this store does not respond.
                for other in stores[(index + 1)...] {
                    _ = try? other.remove(user: credential.user, for: credential.key)
                }
                return
            } catch {
                guard case .unavailable = error else { throw error }
                reason = error
            }
        }
        throw reason
    }

    package func remove(
        user: String,
        for key: CredentialKey
    ) throws(CredentialStoreError) -> Bool {
        var wasThere = false
        let failure = forEach { store throws(CredentialStoreError) in
            if try store.remove(user: user, for: key) { wasThere = true }
        }
        // The credential may still exist in a store that failed: that error is more important.
        if let failure { throw failure }
        return wasThere
    }

    /// The credentials of all stores; the first store's counts for the same user and key.
    private func gather(
        _ read: (any CredentialStore) throws(CredentialStoreError) -> [StoredCredential]
    ) throws(CredentialStoreError) -> [StoredCredential] {
        var all: [StoredCredential] = []
        let failure = forEach { store throws(CredentialStoreError) in
            for credential in try read(store)
            where !all.contains(where: {
                $0.key == credential.key && $0.user.hasBytes(of: credential.user)
            }) { all.append(credential) }
        }
        // We use the credentials of one store even if another store has failed.
        if all.isEmpty, let failure { throw failure }
        return all
    }
    /// Calls a closure with each store; returns the first error but that a store is unavailable.
    private func forEach(
        _ body: (any CredentialStore) throws(CredentialStoreError) -> Void
    ) -> CredentialStoreError? {
        var failure: CredentialStoreError?
        for store in stores {
            do throws(CredentialStoreError) {
                try body(store)
            } catch .unavailable {
                continue
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }
}
