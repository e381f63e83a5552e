import FoundationEssentials
import Synchronization

/// A session's proxies: its settings and the environment, read once, with the first request.
final class SessionProxies: Sendable {
    private let settings: SessionSettings
    private let rules = Mutex<ProxyRules?>(nil)

    init(_ settings: SessionSettings) {
        self.settings = settings
    }

    /// The proxy in the way of a request; `nil`: none.
    func server(for request: URLRequest) throws(URLError) -> ProxyServer? {
        let rules = rules.withLock { rules in
            let read = rules ?? ProxyRules(settings)
            rules = read
            return read
        }
        guard !rules.areNone, let origin = request.url.flatMap({ Origin($0) }) else { return nil }
        return try rules.server(for: origin)
    }
}
