import Synchronization

@testable import URLLoading

/// A key store that a test can inspect, and that fails on demand.
final class MemoryCredentialStore: CredentialStore {
    private struct State {
        var list = CredentialList()
        var failure: CredentialStoreError?
        var calls = 0
    }

    private let state = Mutex(State())

    init(_ credentials: [StoredCredential] = [], failing failure: CredentialStoreError? = nil) {
        state.withLock { state in
            for credential in credentials.reversed() { state.list.save(credential) }
            state.failure = failure
        }
    }

    /// The stored credentials.
    var content: [StoredCredential] { state.withLock { $0.list.credentials } }

    /// The number of calls.
    var calls: Int { state.withLock { $0.calls } }

    private func enter() throws(CredentialStoreError) {
        let failure = state.withLock { state in
            state.calls += 1
            return state.failure
        }
        if let failure { throw failure }
    }

    func credentials(for key: CredentialKey) throws(CredentialStoreError) -> [StoredCredential] {
        try enter()
        return content.filter { $0.key == key }
    }

    func allCredentials() throws(CredentialStoreError) -> [StoredCredential] {
        try enter()
        return content
    }

    func save(_ credential: StoredCredential) throws(CredentialStoreError) {
        try enter()
        state.withLock { $0.list.save(credential) }
    }

    func remove(user: String, for key: CredentialKey) throws(CredentialStoreError) -> Bool {
        try enter()
        return state.withLock { $0.list.remove(user: user, for: key) }
    }
}
