import Dispatch
import FoundationEssentials
import Synchronization

extension URLSession {
    /// Why something is not kept that should outlive the session, in words; once for each reason.
    package func takeStorageErrors() -> [String] {
        let cookies = settings.cookies.storage?.takeStorageError().map {
            "cookies are not kept: \($0)"
        }
        return [cookies, hsts?.takeStorageError()].compactMap { $0 }
    }

    /// Has everything written that outlives the session, and says what could not be.
    package func flushState() -> [String] {
        settings.cookies.storage?.flush()
        hsts?.flush()
        return takeStorageErrors()
    }

    /// Brings the folders to the disk in which downloads have got names, as their delegate has noted.
    ///
    /// Waits for the disk.
    package func synchronizeFolders() {
        files.synchronizeFolders()
    }

    /// Whether a delegate has accepted a server that the platform does not trust.
    func overlooks(_ origin: Origin) -> Bool {
        overlooked.withLock { $0.contains(origin) }
    }

    /// Has everything written that outlives the session; what belongs to it alone goes.
    func keepState() {
        settings.cookies.storage?.flush()
        hsts?.flush()
        let isFirst = locked.withLock { locked in
            defer { locked.hasKeptState = true }
            return !locked.hasKeptState
        }
        if isFirst { settings.ephemeralStores?.sessionEnded() }
    }
}

// Stores that are emptied or written, and connections that are not used again.
extension URLSession {
    /// Writes all state that outlives the session, and gives later tasks new connections.
    ///
    /// Cookies and the hosts that are reached over TLS only are written to their files; the cache and
    /// the key store are always up to date. Passwords and certificates that a server has accepted are
    /// asked for again, or taken from the credential storage. Tasks that are under way keep their
    /// connections. In a background session the transfer process keeps its own.
    ///
    /// - Parameter completionHandler: called on the delegate queue when all is written.
    public func flush(completionHandler: @escaping @Sendable () -> Void) {
        let queue = queue
        reading.async { [self] in
            settings.cookies.storage?.flush()
            hsts?.flush()
            renewConnections()
            queue.async(completionHandler)
        }
    }

    /// Writes all state that outlives the session, as ``flush(completionHandler:)``.
    public func flush() async {
        await withCheckedContinuation { continuation in
            flush { continuation.resume() }
        }
    }

    /// Empties the session's stores: all cookies, stored responses and credentials, in memory, on the disk and
    /// in the key store; and has later tasks use new connections.
    ///
    /// The stores are those of the configuration, which other sessions may share: with ``shared`` ones
    /// they are empty for all sessions. A permanent credential that the key store does not remove stays there.
    /// Hosts with strict transport security are kept.
    ///
    /// - Parameter completionHandler: called on the delegate queue when all is done.
    public func reset(completionHandler: @escaping @Sendable () -> Void) {
        reading.async { [self] in
            settings.cookies.storage?.removeCookies(since: .distantPast)
            settings.urlCache?.removeAllCachedResponses()
            if let storage = settings.credentialStorage {
                for (space, credentials) in storage.allCredentials {
                    for credential in credentials.values { storage.remove(credential, for: space) }
                }
            }
            flush(completionHandler: completionHandler)
        }
    }

    /// Empties the session's stores, as ``reset(completionHandler:)``.
    public func reset() async {
        await withCheckedContinuation { continuation in
            reset { continuation.resume() }
        }
    }

    private func renewConnections() {
        authenticationMemory.forgetAll()
        identities.forgetAll()
        trustDispositions.forgetAll()
        overlooked.withLock { $0 = [] }
        transport.renewConnections()
    }
}

/// What the ephemeral sessions of one configuration keep, in memory, until the last of them is
/// invalid.
final class EphemeralStores: Sendable {
    let cookies = HTTPCookieStorage()
    let credentials = URLCredentialStorage()
    let cache = URLCache.inMemory
    /// The sessions that have not ended.
    private let sessions = Mutex(0)

    func sessionBegan() {
        sessions.withLock { $0 += 1 }
    }

    /// With the last session goes what they have kept.
    func sessionEnded() {
        let isLast = sessions.withLock { sessions in
            sessions -= 1
            return sessions <= 0
        }
        guard isLast else { return }
        cookies.removeCookies(since: .distantPast)
        credentials.removeAll()
        cache.removeAllCachedResponses()
    }
}
