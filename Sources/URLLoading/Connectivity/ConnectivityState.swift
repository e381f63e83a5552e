import Glibc

/// The state of a task without a network: whether it waits, and how long until the next attempt.
struct ConnectivityState: Sendable {
    /// The longest waits of consecutive attempts, if the kernel reports no change.
    ///
    /// The first is short, because the network may have changed before the monitor began to listen.
    static let delays: [Duration] = [
        .milliseconds(100), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16),
        .seconds(30),
    ]
    /// How often in a row a second look-up may find a name that libcurl did not find.
    private static let maximumContradictions = 2

    /// Whether the task waits for a network.
    let isWanted: Bool
    /// Whether the delegate was notified.
    private var isReported = false
    /// The number of consecutive attempts without a network.
    private var failures = 0
    private var contradictions = 0

    init(isWanted: Bool) {
        self.isWanted = isWanted
    }

    /// Whether the last attempt had no network.
    var isTryingAgain: Bool { failures > 0 }

    /// Whether the delegate must be notified now; once for each task.
    mutating func mustReport() -> Bool {
        defer { isReported = true }
        return !isReported
    }

    /// The longest wait until the next attempt.
    mutating func nextDelay() -> Duration {
        defer { failures = min(failures + 1, Self.delays.count - 1) }
        return Self.delays[failures]
    }

    /// Shortens the waits after a change of the network, because a further change may follow soon.
    mutating func noteChange() {
        failures = min(failures, 1)
    }

    /// Resets the state after a response of a server.
    mutating func noteResponse() {
        failures = 0
        contradictions = 0
    }

    /// Notes that a second look-up found the name; returns whether another attempt is worthwhile.
    mutating func mayRetryAfterLookUp() -> Bool {
        contradictions += 1
        return contradictions <= Self.maximumContradictions
    }
}

/// Why a hop could not send its request: no network is available.
enum NetworkAbsence: Sendable, Equatable {
    /// No path to the destination: no route, no link, or no source address.
    case noPath
    /// libcurl did not find the host; with the reason, from a second look-up.
    case noName(NameLookUp)
}

/// The reason for an unknown host, which libcurl does not report.
enum NameLookUp: Sendable, Equatable {
    /// The host has an address.
    case found
    /// The name servers report that the host does not exist, or has no address.
    case unknown
    /// No name server responded, or none reached the responsible one.
    case noResponse
    /// The look-up took longer than its limit.
    case late

    /// Looks up a name in ASCII, which may take half a minute; never `late`.
    static func of(
        _ host: String,
        _ family: URLSessionConfiguration.AddressFamily
    ) -> NameLookUp {
        var hints = addrinfo()
        hints.ai_family = family.number
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(host, nil, &hints, &list)
        guard error != 0 else {
            freeaddrinfo(list)
            return .found
        }
        // EAI_AGAIN, EAI_FAIL, EAI_MEMORY and EAI_SYSTEM of netdb.h. A router without an upstream name
        // server causes EAI_FAIL (REFUSED).
        return [-3, -4, -10, -11].contains(error) ? .noResponse : .unknown
    }
}

extension URLSessionConfiguration.AddressFamily {
    /// The system's number, as getaddrinfo(3) takes it.
    var number: CInt {
        switch self {
        case .any: AF_UNSPEC
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        }
    }
}
