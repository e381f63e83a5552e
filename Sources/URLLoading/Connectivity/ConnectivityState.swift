import Glibc

/// What a task has to do with a network that is not there: whether it waits, and how long at most
/// until it tries again.
struct ConnectivityState: Sendable {
    /// The longest waits, one after the other, where the kernel says nothing.
    ///
    /// The first is short, since something may have changed before the monitor listened.
    static let delays: [Duration] = [
        .milliseconds(100), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16),
        .seconds(30),
    ]
    /// How often a name that the engine has not found may be found by us.
    private static let mostContradictions = 2

    /// Whether it waits at all.
    let isWanted: Bool
    /// Whether the delegate was notified.
    private var isReported = false
    /// Tries in a row for which there was no network.
    private var failures = 0
    private var contradictions = 0
    /// The look-up that is out.
    private(set) var lookUp = 0

    init(isWanted: Bool) {
        self.isWanted = isWanted
    }

    /// Whether the hop that begins is one that had no network before.
    var isTryingAgain: Bool { failures > 0 }

    /// Whether the delegate is to be notified now: once for each task.
    mutating func mustReport() -> Bool {
        defer { isReported = true }
        return !isReported
    }

    /// The longest to wait until the next try.
    mutating func nextDelay() -> Duration {
        defer { failures = min(failures + 1, Self.delays.count - 1) }
        return Self.delays[failures]
    }

    /// Something has changed: what is still missing may come soon.
    mutating func noteChange() {
        failures = min(failures, 1)
    }

    /// A server has responded.
    mutating func noteResponse() {
        failures = 0
        contradictions = 0
    }

    /// A name is being looked up again.
    mutating func beginLookUp() -> Int {
        lookUp += 1
        return lookUp
    }

    /// The name has been found this time.
    ///
    /// - Returns: whether that may still be a change of things.
    mutating func mayBelieveLookUp() -> Bool {
        contradictions += 1
        return contradictions <= Self.mostContradictions
    }
}

/// Why nothing of a hop has left: there is no network for it.
enum NetworkAbsence: Sendable, Equatable {
    /// There is no way to where it was to go: no route, no link, no address to come from.
    case noPath
    /// This host was not found; whether it does not exist or no name server could be asked, only another
    /// look-up tells.
    case noName(String)
}

/// Why a host was not found: the engine does not say.
enum NameLookUp: Sendable, Equatable {
    /// It has an address.
    case found
    /// The name servers say that there is no such host, or that it has no address.
    case unknown
    /// No name server could be asked, or none could find the one that knows.
    case noResponse
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
        // that has no other server to ask (REFUSED).
        return [-3, -4, -10, -11].contains(error) ? .noResponse : .unknown
    }
}
