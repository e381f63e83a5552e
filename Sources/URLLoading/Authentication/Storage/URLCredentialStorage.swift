import Dispatch
public import FoundationEssentials
import Synchronization

/// Credentials by protection space, as Foundation's `URLCredentialStorage`.
///
/// Credentials for the session are in memory, for as long as the storage exists. Permanent ones are also in
/// the user's key store, where later runs find them. A look-up asks the key store, within a time limit;
/// creating a storage does not. If the key store fails, the storage has the credentials in memory.
///
/// A netrc file is read last, and never written. The entry of a `machine` is used for every password that a
/// server of that host asks for; `default` is not used.
public final class URLCredentialStorage: Sendable {
    private struct State {
        var credentials: [URLProtectionSpace: [String: URLCredential]] = [:]
        var defaults: [URLProtectionSpace: URLCredential] = [:]

        /// Whether the space's default is of the same user.
        func isDefault(_ credential: URLCredential, for space: URLProtectionSpace) -> Bool {
            defaults[space].map { $0.user == credential.user } ?? false
        }
    }

    /// The default storage of sessions, over the user's key store and the file that `NETRC` names, or
    /// `~/.netrc`.
    ///
    /// It does not unlock a locked key store.
    public static let shared = URLCredentialStorage(
        FallbackCredentialStore.system(mayAsk: false),
        netrc: { NetrcFile() }
    )

    /// The queue for look-ups of tasks, in their order.
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

    /// The credential that is tried without asking: the default, or else the one that was saved last in the key
    /// store, or else netrc's.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        if let own = state.withLock({ $0.defaults[space] }) { return own }
        return stored(CredentialKey(space)).first?.credential ?? inNetrc(space)
    }

    /// Stores a credential for a space, unless its persistence is `none`.
    ///
    /// An error of the key store is not reported.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        try? save(credential, for: space)
    }

    /// Stores a credential for a space, and makes it the default.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        try? saveDefault(credential, for: space)
    }

    /// Removes a credential from memory and the key store.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        _ = try? forget(credential, for: space)
    }

    /// Removes the credentials in memory.
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
    /// Throws `CredentialStoreError` where the key store did not take it; it is then stored for the session.
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
    /// Throws `CredentialStoreError` where the key store did not take it; it is then stored for the session.
    package func saveDefault(
        _ credential: URLCredential,
        for space: URLProtectionSpace
    ) throws(CredentialStoreError) {
        guard credential.persistence != .none else { return }
        keep(credential, for: space, isDefault: true)
        try saveForGood(credential, space)
    }

    /// As ``remove(_:for:)``, and returns whether there was one.
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

    /// Stores a credential for a space.
    public func set(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        task: URLSessionTask
    ) {
        queue.async { self.set(credential, for: space) }
    }

    /// Stores a credential for a space, and makes it the default.
    public func setDefaultCredential(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        task: URLSessionTask
    ) {
        queue.async { self.setDefaultCredential(credential, for: space) }
    }

    /// Removes a credential.
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
