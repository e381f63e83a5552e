import FoundationEssentials
import URLLoading

/// What a redirect leaves behind, as the library decides it.
struct RedirectCrossing {
    /// Names of header fields, and `userInfo` for the user and password in the URL.
    let dropped: [String]
    /// Whether the way leads out of TLS.
    let isDowngrade: Bool

    /// - Parameters:
    ///   - request: what the server has redirected.
    ///   - next: what follows.
    init(_ request: URLRequest?, to next: URLRequest) {
        guard let request, let from = request.url, let to = next.url else {
            dropped = []
            isDowngrade = false
            return
        }
        let crossing = OriginCrossing(from: from, to: to)
        var fields = request.headerFields
        // The names are those that are missing: whoever calls a header secret has told the library.
        let gone = crossing.strip(
            &fields,
            secretHeaders: request.headerFields.fields.map(\.name).filter {
                next.headerFields[$0] == nil && !$0.lowercased().hasPrefix("content-")
            }
        )
        dropped =
            gone.map { dropped in
                switch dropped {
                case .field(let name): name
                case .userInfo: "userInfo"
                }
            } + (!crossing.staysHome && from.user() != nil ? ["userInfo"] : [])
        isDowngrade = crossing.isDowngrade
    }

    /// What follows, with the credentials that were left behind: `--location-trusted`.
    func restoring(_ next: URLRequest, _ request: URLRequest?) -> URLRequest {
        var next = next
        for name in dropped where !HTTPHeaderFields.areSame(name, "Host") {
            guard let value = request?.value(forHTTPHeaderField: name) else { continue }
            next.setValue(value, forHTTPHeaderField: name)
        }
        return next
    }
}
