import FoundationEssentials
import URLLoading

extension SessionPlan {
    /// Who `--proxy-user` says one is, from wherever that stands.
    static func proxyUser(_ options: Options) throws(PlanError) -> UserPassword? {
        guard let pair = try options.proxyUser?.read("--proxy-user").text else { return nil }
        let parts = pair[...].split(atFirst: UInt8(ascii: ":"))
        let user = parts.map { String($0.before) } ?? pair
        guard !user.isEmpty else {
            throw .usage(
                .invalidValue(
                    flag: "--proxy-user",
                    value: nil,
                    reason: "the name is missing",
                    hint: nil
                )
            )
        }
        guard let password = parts.map({ String($0.after) }) else {
            throw .usage(
                .invalidValue(
                    flag: "--proxy-user",
                    value: nil,
                    reason: "the password is missing",
                    hint: "NAME:PASSWORD gives it, and NAME: an empty one"
                )
            )
        }
        return UserPassword(user: user, password: password)
    }

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
