import Glibc

/// The addresses that a transfer was to be connected to.
struct ConnectAttempts {
    private struct Attempt {
        let address: SocketAddress
        /// Whether it was not tried, since there was no way to it.
        let isPassedOver: Bool
    }

    /// Names with more addresses are judged by the first.
    private static let most = 32

    private var made: [Attempt] = []

    var isEmpty: Bool { made.isEmpty }

    mutating func note(_ address: SocketAddress, isPassedOver: Bool) {
        guard made.count < Self.most else { return }
        made.append(Attempt(address: address, isPassedOver: isPassedOver))
    }

    /// Whether there was no way to any of them.
    ///
    /// libcurl keeps the error of the attempt that failed last: with an IPv4 address that refuses and
    /// an IPv6 address without a route that may be either. So the kernel is asked about each.
    ///
    /// - Parameter systemError: that error; 0 where there is none.
    /// - Returns: `true` also where there is a way to one address only, and the error says that
    ///   nobody is there.
    func lackPath(_ systemError: Int) -> Bool {
        guard !made.isEmpty else { return false }
        let errors = made.map { attempt in
            attempt.isPassedOver ? ENETUNREACH : NetworkPath.error(to: attempt.address)
        }
        let reached = errors.count { $0 == 0 }
        if reached == 0 { return true }
        let error = CInt(clamping: systemError)
        guard NetworkPath.isAbsence(error), !errors.contains(error) else { return false }
        // No route, though there is one now: it has come meanwhile, or not for this interface.
        return reached == 1 || (reached == errors.count && error != EHOSTUNREACH)
    }
}
