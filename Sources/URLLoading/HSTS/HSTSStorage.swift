package import FoundationEssentials
import Synchronization

/// The hosts that require TLS ([RFC 6797](https://www.rfc-editor.org/rfc/rfc6797)), and the place where the
/// storage keeps them.
package final class HSTSStorage: Sendable {
    /// The place for the hosts.
    enum Place: Sendable {
        case memory
        /// In `hsts` in a folder of this library, if one exists; each read or write calls the closure.
        case folder(@Sendable () -> String?)
        case file(SharedFile)
    }

    private struct State {
        var hosts = HSTSHosts()
        var isRead = false
        /// Fields that arrived before the storage had read the file, by host.
        var pendingFields: [String: HSTSField] = [:]
        /// The unwritten changes.
        var changes = StateChanges<ExactText, HSTSHosts.Policy>()
        var storageError: String?
        /// The reason why the last write failed.
        var writeError: String?
    }

    /// The storage of default sessions: `fetch/hsts` in `XDG_STATE_HOME`, or else `~/.local/state`.
    static let shared = HSTSStorage(.folder { UserFolders().state })

    private let place: Place
    private let state = Mutex(State())
    /// Locked while a thread reads the file.
    private let reading = Mutex(())
    let writeLock = WriteLock()

    init(_ place: Place) {
        self.place = place
        if case .memory = place { state.withLock { $0.isRead = true } }
    }

    /// The storage for a session's settings; `nil`: disabled.
    static func storage(for settings: SessionSettings) -> HSTSStorage? {
        switch settings.transport.strictTransportSecurity {
        case .none: nil
        case .automatic: settings.kind == .ephemeral ? HSTSStorage(.memory) : shared
        case .file(let path):
            HSTSStorage(SharedFile(path, owner: .user).map(Place.file) ?? .memory)
        }
    }

    /// Checks that the user's file, if there is one, can be read, and is empty or has a host.
    package static func check(fileAt path: String) throws(PrivateFileError) {
        guard let data = try NamedFile(path).read() else { return }
        let content = HSTSFile.read(data)
        guard content.hosts.isEmpty, let line = content.invalidLine else { return }
        throw HSTSFile.malformed(path, line: line)
    }

    /// The URL to load instead, if any; may wait for the disk, if ``mustRead(for:)`` is `true`.
    func upgraded(_ url: URL) -> URL? {
        if mustRead(for: url) { prepare() }
        return state.withLock { $0.hosts.isEmpty ? nil : $0.hosts.upgraded(url, Self.now) }
    }

    /// Reads the file, if the URL's scheme is `http`; may wait for the disk.
    func prepare(for url: URL) {
        if mustRead(for: url) { prepare() }
    }

    /// Whether the storage must read the file before a task loads the URL.
    func mustRead(for url: URL) -> Bool {
        // The cheaper question first: after the first read, each task asks several times.
        !state.withLock { $0.isRead } && url.scheme?.lowercased() == "http"
    }

    /// Handles a host's field, received over verified TLS.
    ///
    /// Never waits for the disk: a field that arrives before the file's content takes effect after it.
    func take(_ field: HSTSField, from host: String) {
        let mustWrite = state.withLock { state in
            guard state.isRead else {
                state.pendingFields[host] = field
                return true
            }
            return apply(field, of: host, &state)
        }
        if mustWrite { PendingWrites.note(self) }
    }

    /// Returns whether there is a change to write.
    private func apply(_ field: HSTSField, of host: String, _ state: inout State) -> Bool {
        guard let (host, policy) = state.hosts.change(by: field, of: host, Self.now) else {
            return false
        }
        state.hosts[host] = policy
        if case .memory = place { return false }
        state.changes.note(host, policy)
        return true
    }

    /// Writes the changes, if any; returns after the write has succeeded or failed.
    func flush() {
        PendingWrites.flush(self, retries: true)
    }

    /// The reason why the storage cannot store hosts, as text; once for each reason.
    func takeStorageError() -> String? {
        state.withLock { state in
            defer { (state.storageError, state.writeError) = (nil, nil) }
            return state.writeError ?? state.storageError
        }
    }

    private static var now: Int64 { Int64(Date.now.timeIntervalSince1970) }

    private var file: SharedFile? {
        switch place {
        case .memory: nil
        case .folder(let folder):
            // We accept a file that others can read: without it, we would not use TLS.
            folder().flatMap { SharedFile("\($0)/hsts", owner: .library, isSecret: false) }
        case .file(let file): file
        }
    }

    private static func notKept(_ reason: String) -> String {
        "HSTS hosts are not saved: \(reason)"
    }

    /// Reads the file once, without the lock of the state; may wait for the disk.
    private func prepare() {
        guard !state.withLock({ $0.isRead }) else { return }
        reading.withLock { _ in
            guard !state.withLock({ $0.isRead }) else { return }
            let (hosts, storageError) = load()
            state.withLock { state in
                state.hosts = hosts
                state.storageError = storageError
                state.isRead = true
                for (host, field) in state.pendingFields { _ = apply(field, of: host, &state) }
                state.pendingFields = [:]
            }
        }
    }

    private func load() -> (hosts: HSTSHosts, storageError: String?) {
        guard let file else { return (HSTSHosts(), nil) }
        do throws(PrivateFileError) {
            var warning: String?
            let data = try file.read(warn: { warning = $0 })
            return (
                data.map { HSTSFile.read($0).hosts } ?? HSTSHosts(),
                warning.map { "HSTS hosts: \($0)" }
            )
        } catch {
            return (HSTSHosts(), Self.notKept("\(error)"))
        }
    }
}

extension HSTSStorage: StateWriter {
    var hasChanges: Bool { state.withLock { !$0.changes.isEmpty } }

    func writeChanges() {
        prepare()
        let changes = state.withLock { $0.changes.take() }
        guard !changes.isEmpty else { return }
        guard let file else {
            let words = "neither XDG_STATE_HOME nor HOME names a folder"
            return state.withLock { $0.storageError = Self.notKept(words) }
        }
        do throws(PrivateFileError) {
            try file.change { data throws(PrivateFileError) in
                try HSTSFile.merged(data, path: file.path, changes, Self.now)
            }
            state.withLock { $0.writeError = nil }
        } catch {
            state.withLock { state in
                state.writeError = Self.notKept("\(error)")
                state.changes.putBack(changes)
            }
        }
    }
}

extension URLSession {
    /// Whether the session loads an `http` URL over TLS, because its host requires TLS.
    package func reachesOverTLS(_ url: URL) -> Bool {
        hsts?.upgraded(url) != nil
    }
}

// Upgrading requests to TLS, before each hop.
extension URLSessionTask {
    /// The request to send: over TLS if its host requires that.
    func secured(_ request: URLRequest, _ locked: inout Locked) -> URLRequest {
        guard let url = request.url, let secure = session.hsts?.upgraded(url) else {
            return request
        }
        var request = request
        request.url = secure
        locked.lifecycle.currentRequest.url = secure
        if let delegate = effectiveDelegate(locked) {
            session.queue.async { [self] in
                delegate.urlSession(session, task: self, didUpgradeTo: secure)
            }
        }
        return request
    }

    /// Refuses a redirect from TLS to plain HTTP if the server's key is pinned, because a plain
    /// connection has no key to check.
    func checkPin(_ request: URLRequest, _ locked: borrowing Locked) throws(URLError) {
        guard locked.lifecycle.hasLeftTLS, let url = request.url,
            session.settings.transport.trust.pinnedPublicKey != nil,
            Origin(url)?.scheme != "https"
        else { return }
        throw URLError(
            .appTransportSecurityRequiresSecureConnection,
            detail: "the redirect leads to plain HTTP, where no key can be pinned:"
                + " \(url.absoluteString)",
            failingURL: url
        )
    }

    /// Handles the `Strict-Transport-Security` field of a response.
    func storeHSTSField(_ head: HopHead, _ request: URLRequest, _ locked: borrowing Locked) {
        guard let hsts = session.hsts, let text = head.fields.first("Strict-Transport-Security"),
            let origin = request.url.flatMap(Origin.init), origin.scheme == "https",
            session.settings.transport.trust.verifiesServer,
            !session.connectionDecisions.withLock({ $0.acceptedDespiteVerdict.contains(origin) }),
            let field = HSTSField(text)
        else { return }
        hsts.take(field, from: origin.host)
    }
}
