import FoundationEssentials
import URLLoading

/// The credentials that the library removes from a redirected request.
struct RedirectCrossing {
    /// Names of header fields; `userInfo` means the user and password in the URL.
    let dropped: [String]
    /// Whether the redirect leads from TLS to plain HTTP.
    let isDowngrade: Bool

    init(_ request: URLRequest?, to next: URLRequest) {
        guard let request, let from = request.url, let to = next.url else {
            dropped = []
            isDowngrade = false
            return
        }
        let crossing = OriginCrossing(from: from, to: to)
        var fields = request.headerFields
        // The names of the missing fields: the library knows which fields the user declared secret.
        let gone = crossing.strip(
            &fields,
            secretHeaders: request.headerFields.fields.map(\.name).filter {
                next.headerFields[$0] == nil && !RedirectRules.describesContent($0)
            }
        )
        dropped =
            gone.map { dropped in
                switch dropped {
                case .field(let name): name
                case .userInfo: "userInfo"
                }
            } + (!crossing.isSameOrigin && from.user() != nil ? ["userInfo"] : [])
        isDowngrade = crossing.isDowngrade
    }

    /// The next request with the removed credentials, for `--location-trusted`.
    func restoring(_ next: URLRequest, _ request: URLRequest?) -> URLRequest {
        var next = next
        for name in dropped where !HTTPHeaderFields.areSame(name, "Host") {
            guard let value = request?.value(forHTTPHeaderField: name) else { continue }
            next.setValue(value, forHTTPHeaderField: name)
        }
        return next
    }
}
