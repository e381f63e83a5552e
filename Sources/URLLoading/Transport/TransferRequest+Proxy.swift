import CurlMulti

extension TransferRequest {
    /// Sends a hop through a proxy, and the proxy's credential to the proxy and nobody else.
    ///
    /// - Parameters:
    ///   - proxy: what stands in the way; `nil`: nothing.
    ///   - isTunneled: whether an HTTP proxy is asked for a tunnel.
    mutating func apply(_ proxy: ProxyServer?, isTunneled: Bool) {
        // Of most lines the first letter says that it is not this one.
        let isProxys = { (line: String) in
            line.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "p")
                && line.asciiLowercased.startsWithBytes(of: "proxy-authorization:")
        }
        let credential = headerLines.filter(isProxys)
        headerLines.removeAll(where: isProxys)
        guard let proxy else { return }
        guard proxy.scheme.isHTTP else {
            connection.proxy = ConnectionOptions.Proxy(
                url: proxy.url,
                user: proxy.user,
                password: proxy.password?.text
            )
            return
        }
        connection.proxy = ConnectionOptions.Proxy(url: proxy.url)
        connection.proxy?.opensTunnels = isTunneled
        if isTunneled {
            proxyHeaderLines = credential
        } else {
            headerLines += credential
        }
    }
}
