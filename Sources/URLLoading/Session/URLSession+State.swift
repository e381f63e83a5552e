import FoundationEssentials
import Synchronization

extension URLSession {
    /// The reasons why a storage could not store cookies or HSTS hosts; returns each once.
    package func takeStorageErrors() -> [String] {
        let cookies = settings.cookies.storage?.takeStorageError().map {
            "cookies are not saved: \($0)"
        }
        return [cookies, hsts?.takeStorageError()].compactMap { $0 }
    }

    /// Writes cookies and HSTS hosts, and returns the reasons for failures.
    package func flushState() -> [String] {
        writeState()
        return takeStorageErrors()
    }

    private func writeState() {
        settings.cookies.storage?.flush()
        hsts?.flush()
    }

    /// Writes to the disk the folders of renamed downloads, as their delegate has noted.
    ///
    /// Waits for the disk.
    package func synchronizeFolders() {
        files.synchronizeFolders()
    }

    /// Writes cookies and HSTS hosts, and releases the ephemeral stores.
    func keepState() {
        writeState()
        let isFirst = locked.withLock { locked in
            defer { locked.hasKeptState = true }
            return !locked.hasKeptState
        }
        if isFirst { settings.ephemeralStores?.sessionEnded() }
    }
}

// Emptying or writing stores, and renewing connections.
extension URLSession {
    /// Writes all state that outlives the session, and makes later tasks use new connections.
    ///
    /// It writes cookies and HSTS hosts to their files; the cache and the key store are always up to date.
    /// The delegate or the credential storage decides about later challenges for passwords and certificates.
    /// Running tasks keep their connections. In a background session the transfer process keeps its own.
    ///
    /// - Parameter completionHandler: called on the delegate queue after the writes.
    public func flush(completionHandler: @escaping @Sendable () -> Void) {
        let queue = queue
        reading.async { [self] in
            writeState()
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

    /// Removes all cookies, stored responses and credentials, in memory, on the disk and in the key
    /// store; later tasks use new connections.
    ///
    /// The stores are those of the configuration, which other sessions may share: ``shared`` stores become
    /// empty for all sessions. A permanent credential that the key store does not remove stays there. It
    /// keeps HSTS hosts.
    ///
    /// - Parameter completionHandler: called on the delegate queue at the end.
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
        connectionDecisions.withLock { $0 = ConnectionDecisions() }
        transport.renewConnections()
    }
}

/// The in-memory stores of the ephemeral sessions of one configuration, until the last of these is invalid.
final class EphemeralStores: Sendable {
    let cookies = HTTPCookieStorage()
    let credentials = URLCredentialStorage()
    let cache = URLCache.inMemory
    /// The number of sessions that have not ended.
    private let sessions = Mutex(0)

    func sessionBegan() {
        sessions.withLock { $0 += 1 }
    }

    /// Empties the stores after the last session.
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
