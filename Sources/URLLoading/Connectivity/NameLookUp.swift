import Glibc

/// Why a host was not found: the engine does not say.
enum NameLookUp: Sendable, Equatable {
    /// It has an address.
    case found
    /// Those who know say that there is no such host, or that it has no address.
    case unknown
    /// Nobody could be asked, or nobody who was asked knew whom to ask.
    case unanswered
    /// It took longer than the task may.
    case late

    /// Looks a host up, which may take half a minute.
    ///
    /// - Parameters:
    ///   - host: its name in ASCII.
    ///   - family: the kind of address that may be used.
    /// - Returns: what came of it; never `late`.
    static func of(
        _ host: String,
        _ family: URLSessionConfiguration.AddressFamily
    ) -> NameLookUp {
        var hints = addrinfo()
        hints.ai_family =
            switch family {
            case .any: AF_UNSPEC
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            }
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(host, nil, &hints, &list)
        guard error != 0 else {
            freeaddrinfo(list)
            return .found
        }
        // EAI_AGAIN, EAI_FAIL, EAI_MEMORY and EAI_SYSTEM of netdb.h. The second is what a router says
        // that has nobody to ask itself (REFUSED).
        return [-3, -4, -10, -11].contains(error) ? .unanswered : .unknown
    }
}
