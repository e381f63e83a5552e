package import FoundationEssentials

extension URLSession {
    /// The proxy that a request of this session's for a URL goes through; `nil`: none.
    package func proxy(for url: URL) throws(URLError) -> ProxyServer? {
        try proxies.server(for: URLRequest(url: url))
    }
}
