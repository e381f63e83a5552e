/// The first key store that answers, and the others for what was kept before it did.
package struct FallbackCredentialStore: CredentialStore {
    private let stores: [any CredentialStore]

    /// - Parameter stores: in the order of preference.
    package init(_ stores: [any CredentialStore]) {
        self.stores = stores
    }

    /// The user's own: the Secret Service where one answers, else a file; the user is asked to
    /// unlock the key store where `mayAsk` says so.
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

    /// Saves in the first that answers, and removes what the others have of it.
    package func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        var reason = CredentialStoreError.unavailable("there is none to try")
        for (index, store) in stores.enumerated() {
            do throws(CredentialStoreError) {
                try store.save(credential)
                // An old password elsewhere would come back when this store is away.
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
        var failure: CredentialStoreError?
        for store in stores {
            do throws(CredentialStoreError) {
                if try store.remove(user: user, for: key) { wasThere = true }
            } catch {
                if case .unavailable = error { continue }
                failure = failure ?? error
            }
        }
        // It may still be there: that is worth more than that another was removed.
        if let failure { throw failure }
        return wasThere
    }

    /// What all have, the first one's first; of what two have, the first one's counts.
    private func gather(
        _ read: (any CredentialStore) throws(CredentialStoreError) -> [StoredCredential]
    ) throws(CredentialStoreError) -> [StoredCredential] {
        var all: [StoredCredential] = []
        var failure: CredentialStoreError?
        for store in stores {
            do throws(CredentialStoreError) {
                for credential in try read(store)
                where !all.contains(where: {
                    $0.key == credential.key && $0.user == credential.user
                }) { all.append(credential) }
            } catch {
                if case .unavailable = error { continue }
                failure = failure ?? error
            }
        }
        // What one store has is of use though another is in trouble.
        if all.isEmpty, let failure { throw failure }
        return all
    }
}
