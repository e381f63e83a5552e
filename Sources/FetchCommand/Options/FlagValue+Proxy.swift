import URLLoading

extension FlagValue {
    /// A proxy's URL; `nil` where it is empty.
    func proxy() throws(UsageError) -> ProxyServer? {
        guard !text.isEmpty else { return nil }
        if let proxy = ProxyServer(text) { return proxy }
        let schemes = ProxyServer.Scheme.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidURL(
            Redaction.url(text),
            reason: "\(flag): is no proxy's URL",
            hint: "[SCHEME://][USER[:PASSWORD]@]HOST[:PORT], the scheme one of \(schemes)"
        )
    }
}
