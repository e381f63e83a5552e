import Dispatch
public import FoundationEssentials
import Synchronization

/// Credentials by protection space, as Foundation's `URLCredentialStorage`.
///
/// What is for the session stays in memory and goes with the storage. What is permanent is kept in
/// the user's key store too, and found there again by later runs. The key store is asked when
/// something is looked for, never when a storage is made; that may take moments, though not for
/// ever. Where it fails, the storage has what it has in memory.
///
/// Last a netrc file is looked into, which is never written: the entry of a `machine` serves every
/// password that a server of that host asks for, and `default` none.
public final class URLCredentialStorage: Sendable {
    private struct State {
        var credentials: [URLProtectionSpace: [String: URLCredential]] = [:]
        var defaults: [URLProtectionSpace: URLCredential] = [:]

        /// Whether the space's default is of the same user.
        func isDefault(_ credential: URLCredential, for space: URLProtectionSpace) -> Bool {
            defaults[space].map { $0.user == credential.user } ?? false
        }
    }

    /// The storage of sessions that have no other, over the user's key store, which stays locked
    /// where it is locked, and the file that `NETRC` names, or `~/.netrc`.
    public static let shared = URLCredentialStorage(
        FallbackCredentialStore.system(mayAsk: false),
        netrc: { NetrcFile() }
    )

    /// Where the key store is asked for tasks: in the order in which they ask.
    let queue = DispatchQueue(label: "URLCredentialStorage")
    private let store: (any CredentialStore)?
    private let netrc: @Sendable () -> NetrcFile?
    private let state = Mutex(State())

    /// A storage of its own, in memory only.
    public convenience init() {
        self.init(nil)
    }

    /// A storage of its own, in memory, that also looks into a netrc file.
    ///
    /// Not in Foundation. The file is read each time that a credential is looked for. One that is not there, is not
    /// netrc's, or is another user's (but root's) has no entries.
    ///
    /// - Parameter netrcFile: the file, a `file:` URL.
    public convenience init(netrcFile: URL) {
        let path = netrcFile.path(percentEncoded: false)
        self.init(nil, netrc: { NetrcFile(named: path) })
    }

    /// - Parameters:
    ///   - store: where permanent credentials are kept; `nil`: they are kept in memory.
    ///   - netrc: the file that is looked into last, asked for each time; `nil`: none.
    package init(
        _ store: (any CredentialStore)?,
        netrc: @escaping @Sendable () -> NetrcFile? = { nil }
    ) {
        self.store = store
        self.netrc = netrc
    }

    /// The credentials for a space by their users; `nil` where there are none.
    public func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        var found: [String: URLCredential] = [:]
        if let listed = inNetrc(space), let user = listed.user { found[user] = listed }
        for kept in stored(CredentialKey(space)) { found[kept.user] = kept.credential }
        found.merge(state.withLock { $0.credentials[space] ?? [:] }) { _, own in own }
        return found.isEmpty ? nil : found
    }

    /// All credentials, by space and user.
    public var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        var all: [URLProtectionSpace: [String: URLCredential]] = [:]
        for kept in (try? store?.allCredentials()) ?? [] {
            all[kept.key.space, default: [:]][kept.user] = kept.credential
        }
        return all.merging(state.withLock { $0.credentials }) { stored, own in
            stored.merging(own) { _, own in own }
        }
    }

    /// The credential that is tried without asking: the one that was made the default, or else the
    /// one that the key store has taken last, or else netrc's.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        if let own = state.withLock({ $0.defaults[space] }) { return own }
        return stored(CredentialKey(space)).first?.credential ?? inNetrc(space)
    }

    /// Keeps a credential for a space, unless its persistence is `none`.
    ///
    /// Whether the key store took a permanent one is not reported.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        try? save(credential, for: space)
    }

    /// Keeps a credential for a space, and makes it the default.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        try? saveDefault(credential, for: space)
    }

    /// Forgets a credential, wherever it is kept.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        _ = try? forget(credential, for: space)
    }

    /// Forgets what it has in memory.
    func removeAll() {
        state.withLock { $0 = State() }
    }

    private func inNetrc(_ space: URLProtectionSpace) -> URLCredential? {
        guard !space.isProxy(), ChallengeRecord.wantsPassword(space.authenticationMethod),
            let file = netrc(), file.isRegular, let content = try? file.read(),
            content.warning != .foreignOwner,
            let entry = content.netrc.entry(for: space.host), entry.machine != nil,
            let password = entry.password
        else { return nil }
        return URLCredential(
            user: entry.login ?? "",
            password: password.text,
            persistence: .forSession
        )
    }

    private func stored(_ key: CredentialKey) -> [StoredCredential] {
        (try? store?.credentials(for: key)) ?? []
    }

    private func keep(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        isDefault: Bool
    ) {
        state.withLock { state in
            // The default's own user may have a new password.
            if isDefault || state.isDefault(credential, for: space) {
                state.defaults[space] = credential
            }
            if let user = credential.user {
                state.credentials[space, default: [:]][user] = credential
            }
        }
    }
}

// The same, with what the key store has to say.
extension URLCredentialStorage {
    /// As ``set(_:for:)``.
    ///
    /// Throws `CredentialStoreError` where the key store did not take it; for the session it is kept.
    package func save(
        _ credential: URLCredential,
        for space: URLProtectionSpace
    ) throws(CredentialStoreError) {
        guard credential.persistence != .none else { return }
        keep(credential, for: space, isDefault: false)
        try saveForGood(credential, space)
    }

    /// As ``setDefaultCredential(_:for:)``.
    ///
    /// Throws `CredentialStoreError` where the key store did not take it; for the session it is kept.
    package func saveDefault(
        _ credential: URLCredential,
        for space: URLProtectionSpace
    ) throws(CredentialStoreError) {
        guard credential.persistence != .none else { return }
        keep(credential, for: space, isDefault: true)
        try saveForGood(credential, space)
    }

    /// As ``remove(_:for:)``, and says whether there was one.
    ///
    /// Throws `CredentialStoreError` where the key store may still have it.
    @discardableResult
    package func forget(
        _ credential: URLCredential,
        for space: URLProtectionSpace
    ) throws(CredentialStoreError) -> Bool {
        let wasKept = state.withLock { state in
            let isDefault = state.isDefault(credential, for: space)
            if isDefault { state.defaults[space] = nil }
            guard let user = credential.user else { return isDefault }
            let kept = state.credentials[space]?.removeValue(forKey: user)
            if state.credentials[space]?.isEmpty == true { state.credentials[space] = nil }
            return kept != nil || isDefault
        }
        guard let user = credential.user, let store else { return wasKept }
        let wasStored = try store.remove(user: user, for: CredentialKey(space))
        return wasKept || wasStored
    }

    private func saveForGood(
        _ credential: URLCredential,
        _ space: URLProtectionSpace
    ) throws(CredentialStoreError) {
        guard let store, let user = credential.user, let password = credential.password,
            credential.persistence == .permanent || credential.persistence == .synchronizable
        else { return }
        try store.save(
            StoredCredential(key: CredentialKey(space), user: user, password: Secret(password))
        )
    }
}

// Foundation's forms for a task. A task makes no difference to what is kept; the key store is asked
// one thing after another, and results are delivered on the delegate queue of the task's session.
extension URLCredentialStorage {
    /// The credentials for a space by their users; `nil` where there are none.
    public func getCredentials(
        for space: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        queue.async {
            let found = self.credentials(for: space)
            task.session.queue.async { completionHandler(found) }
        }
    }

    /// The credential that is tried without asking.
    public func getDefaultCredential(
        for space: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        queue.async {
            let found = self.defaultCredential(for: space)
            task.session.queue.async { completionHandler(found) }
        }
    }

    /// Keeps a credential for a space.
    public func set(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        task: URLSessionTask
    ) {
        queue.async { self.set(credential, for: space) }
    }

    /// Keeps a credential for a space, and makes it the default.
    public func setDefaultCredential(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        task: URLSessionTask
    ) {
        queue.async { self.setDefaultCredential(credential, for: space) }
    }

    /// Forgets a credential.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - space: what it is for.
    ///   - options: Foundation's; none has a meaning here.
    ///   - task: the task that it was used by.
    public func remove(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        options: [String: any Sendable]? = [:],
        task: URLSessionTask
    ) {
        queue.async { self.remove(credential, for: space) }
    }
}
