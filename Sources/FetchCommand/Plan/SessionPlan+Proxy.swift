import FoundationEssentials
import URLLoading

extension SessionPlan {
    /// The proxy that a request goes through; `nil`: none.
    ///
    /// Throws where a variable that would say so holds no proxy's URL.
    func proxy(for address: WebAddress) throws(UsageError) -> ProxyServer? {
        guard let url = URL(string: address.text) else { return nil }
        do throws(URLError) {
            return try URLSessionConfiguration.make(self).proxy(for: url)
        } catch {
            throw .invalidProxy(error.detail)
        }
    }
}
