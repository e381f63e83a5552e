import FoundationEssentials
import URLLoading

extension Printer {
    /// Which proxy a request goes through, with `-v`; nothing where there is none.
    func proxy(of session: URLSession, for url: @autoclosure () -> URL?) {
        guard verbosity.isVerbose, let url = url(), let proxy = try? session.proxy(for: url)
        else {
            return
        }
        line("fetch: \(Self.shown(url)) goes through the proxy \(proxy.url)", waits: false)
    }
}
