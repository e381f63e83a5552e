import Synchronization

extension URLSession {
    /// Why something is not kept that should outlive the session, in words; once for each reason.
    package func takeTroubles() -> [String] {
        let cookies = settings.cookies.storage?.takeTrouble().map { "cookies are not kept: \($0)" }
        return [cookies, hsts?.takeTrouble()].compactMap { $0 }
    }

    /// Has everything written that outlives the session, and says what could not be.
    package func flushState() -> [String] {
        settings.cookies.storage?.flush()
        hsts?.flush()
        return takeTroubles()
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
