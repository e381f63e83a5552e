/// Where permanent credentials are kept.
///
/// Its functions wait for disks and other programs, though never without end: they are called
/// neither on the loop's thread nor under a lock.
package protocol CredentialStore: Sendable {
    /// All that there are for a key, the one that was saved last first.
    func credentials(for key: CredentialKey) throws(CredentialStoreError) -> [StoredCredential]

    /// All that there are, the one that was saved last first.
    func allCredentials() throws(CredentialStoreError) -> [StoredCredential]

    /// Keeps a credential, in the place of its user's for the same key.
    func save(_ credential: StoredCredential) throws(CredentialStoreError)

    /// Forgets the credential of a user; says whether there was one.
    func remove(user: String, for key: CredentialKey) throws(CredentialStoreError) -> Bool
}
