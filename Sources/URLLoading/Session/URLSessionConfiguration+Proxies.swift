package import FoundationEssentials
import Synchronization

extension URLSessionConfiguration {
    /// The proxies of this session, by CFNetwork's keys; empty: none; `nil`: what the environment
    /// says.
    ///
    /// The keys are the constants that begin with `kCFNetworkProxies`, and
    /// ``kCFProxyUsernameKey``, ``kCFProxyPasswordKey``, ``kCFStreamPropertySOCKSVersion``. A key
    /// that is none of them, a value of another kind, and automatic configuration make every task
    /// fail with `badURL`. ``TransportOptions/proxy`` goes first where it says anything.
    ///
    /// It is a dictionary of Swift's own values: `Bool` or an integer where CFNetwork has a number.
    public var connectionProxyDictionary: [String: any Sendable]? {
        get { locked.withLock { $0.proxyDictionary } }
        set { locked.withLock { $0.proxyDictionary = newValue } }
    }
}

extension SessionSettings {
    /// The proxy that a session with these settings would use for a URL; `nil`: none.
    package func proxy(for url: URL) throws(URLError) -> ProxyServer? {
        guard let origin = Origin(url) else { return nil }
        return try ProxyRules(self).server(for: origin)
    }
}
