import TestSupport

extension ProcessResult {
    /// The error messages about a URL, without `fetch: URL: `; there should be one.
    func blames(_ url: String) -> [String] {
        let prefix = "fetch: \(url): "
        return stderrLines.filter { $0.hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count))
        }
    }
}
