/// A user and a password in a key store.
package struct StoredCredential: Sendable, Hashable {
    package let key: CredentialKey
    package let user: String
    package let password: Secret

    package init(key: CredentialKey, user: String, password: Secret) {
        self.key = key
        self.user = user
        self.password = password
    }

    /// The credential of a session.
    package var credential: URLCredential {
        URLCredential(user: user, password: password.text, persistence: .permanent)
    }
}
