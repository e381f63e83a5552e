import FoundationEssentials
import Synchronization

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
