import Dispatch
public import FoundationEssentials
import Synchronization

/// Credentials by protection space, as Foundation's `URLCredentialStorage`.
///
/// Credentials for the session are in memory, as long as the storage exists. Permanent credentials are also
/// in the user's key store, for later runs. A look-up queries the key store, within a time limit; creating a
/// storage does not. If the key store fails, the storage uses the credentials in memory.
///
/// The storage searches a netrc file last, and never writes it. It uses the entry of a `machine` for every
/// password challenge of a server on that host, but not `default`.
public final class URLCredentialStorage: Sendable {
    private struct State {
        var credentials: [URLProtectionSpace: [String: URLCredential]] = [:]
        var defaults: [URLProtectionSpace: URLCredential] = [:]

        /// Whether the space's default credential has the same user.
        func isDefault(_ credential: URLCredential, for space: URLProtectionSpace) -> Bool {
            let user = credential.user.map { ExactText($0) }
            return defaults[space].map { $0.user.map { ExactText($0) } == user } ?? false
        }
    }

    /// The default storage of sessions, with the user's key store and the file of `NETRC`, or `~/.netrc`.
    ///
    /// It does not unlock a locked key store.
    public static let shared = URLCredentialStorage(
        FallbackCredentialStore.system(mayAsk: false),
        netrc: { NetrcFile() }
    )

    /// The serial queue for look-ups of tasks.
    let queue = DispatchQueue(label: "URLCredentialStorage")
    private let store: (any CredentialStore)?
    private let netrc: @Sendable () -> NetrcFile?
    private let state = Mutex(State())

    /// Creates a storage in memory.
    public convenience init() {
        self.init(nil)
    }

    /// Creates a storage in memory that also searches a netrc file.
    ///
    /// Each look-up reads the file. A file that is missing, malformed, or owned by another user than root
    /// and this one has no entries. Not in Foundation.
    ///
    /// - Parameter netrcFile: the file, a `file:` URL.
    public convenience init(netrcFile: URL) {
        let path = netrcFile.path(percentEncoded: false)
        self.init(nil, netrc: { NetrcFile(named: path) })
    }

    /// - Parameters:
    ///   - store: the store of permanent credentials; `nil`: memory.
    ///   - netrc: returns the netrc file to search last, called at each look-up; `nil`: none.
    package init(
        _ store: (any CredentialStore)?,
        netrc: @escaping @Sendable () -> NetrcFile? = { nil }
    ) {
        self.store = store
        self.netrc = netrc
    }

    /// The credentials for a space by their users; `nil`: none.
    public func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        var found: [String: URLCredential] = [:]
        if let listed = inNetrc(space), let user = listed.user { found[user] = listed }
        for kept in stored(space.key) { found[kept.user] = kept.credential }
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

    /// The default credential: the explicit default, or else the one saved last in the key store, or
    /// else netrc's.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        if let own = state.withLock({ $0.defaults[space] }) { return own }
        return stored(space.key).first?.credential ?? inNetrc(space)
    }

    /// Stores a credential for a space, unless its persistence is `none`.
    ///
    /// It does not report an error of the key store.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        try? save(credential, for: space)
    }

    /// Stores a credential for a space, and makes it the default.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        try? save(credential, for: space, isDefault: true)
    }

    /// Removes a credential from memory and the key store.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        _ = try? forget(credential, for: space)
    }

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
}

// The same methods, with errors of the key store.
extension URLCredentialStorage {
    /// As ``set(_:for:)``, or ``setDefaultCredential(_:for:)``.
    ///
    /// Throws `CredentialStoreError` where the key store failed; the credential is then stored for the
    /// session.
    package func save(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        isDefault: Bool = false
    ) throws(CredentialStoreError) {
        guard credential.persistence != .none else { return }
        state.withLock { state in
            // The default credential's user may have a new password.
            if isDefault || state.isDefault(credential, for: space) {
                state.defaults[space] = credential
            }
            if let user = credential.user {
                state.credentials[space, default: [:]][user] = credential
            }
        }
        guard let store, let user = credential.user, let password = credential.password,
            credential.persistence == .permanent || credential.persistence == .synchronizable
        else { return }
        try store.save(
            StoredCredential(key: space.key, user: user, password: Secret(password))
        )
    }

    /// As ``remove(_:for:)``; returns whether the credential existed.
    ///
    /// Throws `CredentialStoreError` where the key store may still have the credential.
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
        let wasStored = try store.remove(user: user, for: space.key)
        return wasKept || wasStored
    }
}

// Foundation's methods with a task. The task only determines the queue of the results, its session's
// delegate queue; the key store handles one call after another.
extension URLCredentialStorage {
    /// The credentials for a space by their users; `nil`: none.
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

    /// The default credential for a space.
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
    ///   - space: the protection space of the credential.
    ///   - options: Foundation's options, which have no effect.
    ///   - task: the task that used the credential.
    public func remove(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        options: [String: any Sendable]? = [:],
        task: URLSessionTask
    ) {
        queue.async { self.remove(credential, for: space) }
    }
}
