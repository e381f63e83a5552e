import Glibc

/// How far a transfer is with the connection for its request.
struct ConnectionProgress {
    /// Whether libcurl has begun with the transfer, or it still waits for a connection to come free.
    private(set) var hasBegun = false
    /// Whether the connection is being made, so that a head is a proxy's response to CONNECT.
    private(set) var isConnecting = true
    /// Whether libcurl has made a connection for the request that is about to be sent.
    private(set) var isNew = false
    /// Whether the request's first byte may have left; before, libcurl knows no pause.
    private(set) var hasSentRequest = false
    /// What a proxy has responded to CONNECT.
    var connectResponse = ConnectResponse()
    /// Why no socket could be made, an `errno`; 0 where one could.
    var socketError: CInt = 0
    /// Where libcurl has tried to connect to.
    var attempts = ConnectAttempts()

    /// libcurl is about to look up a name, connect, or send the request.
    mutating func begin() {
        hasBegun = true
    }

    /// libcurl makes a connection: the first, or another one for one that died.
    mutating func beginConnecting() {
        hasBegun = true
        isConnecting = true
        isNew = true
        socketError = 0
        connectResponse = ConnectResponse()
    }

    /// libcurl is about to send the request.
    mutating func beginRequest() {
        hasBegun = true
        isConnecting = false
        hasSentRequest = true
    }

    /// Whether the connection that the request is about to be sent over was made for it; `false`
    /// from then on, until the next is made.
    mutating func takeNew() -> Bool {
        defer { isNew = false }
        return isNew
    }

    /// The transfer is out of libcurl, and may be given to it again.
    mutating func withdraw() {
        hasBegun = false
    }
}

/// The addresses that a transfer was to be connected to.
struct ConnectAttempts {
    private struct Attempt {
        let address: SocketAddress
        /// Whether it was not tried, since there was no way to it.
        let isSkipped: Bool
    }

    /// Names with more addresses are judged by the first.
    private static let most = 32

    private var made: [Attempt] = []

    var isEmpty: Bool { made.isEmpty }

    mutating func note(_ address: SocketAddress, isSkipped: Bool) {
        guard made.count < Self.most else { return }
        made.append(Attempt(address: address, isSkipped: isSkipped))
    }

    /// Whether there was no way to any of them.
    ///
    /// libcurl keeps the error of the attempt that failed last: with an IPv4 address that refuses and
    /// an IPv6 address without a route that may be either. So the kernel is asked about each.
    ///
    /// - Parameter systemError: that error; 0 where there is none.
    /// - Returns: `true` also where there is a way to one address only, and the error says that no
    ///   host responds there.
    func lackPath(_ systemError: Int) -> Bool {
        guard !made.isEmpty else { return false }
        let errors = made.map { attempt in
            attempt.isSkipped ? ENETUNREACH : NetworkPath.error(to: attempt.address)
        }
        let reached = errors.count { $0 == 0 }
        if reached == 0 { return true }
        let error = CInt(clamping: systemError)
        guard NetworkPath.isAbsence(error), !errors.contains(error) else { return false }
        // No route, though there is one now: it has come meanwhile, or not for this interface.
        return reached == 1 || (reached == errors.count && error != EHOSTUNREACH)
    }
}

// The connection, and the request's head.
extension Transfer {
    /// libcurl is about to look up a name, connect, or send the request.
    func begin() {
        connection.begin()
        touch()
    }

    /// libcurl makes a connection: the first, or another one for one that died.
    func beginConnecting() {
        connection.beginConnecting()
        touch()
    }

    /// libcurl is about to send the request.
    func beginRequest() {
        connection.beginRequest()
        refusals.beginRequest()
        body.hasSupplied = false
        touch()
    }

    /// The request is about to be sent over a connection.
    func begin(over name: ConnectionName) {
        refusals.begin(over: name, isNew: connection.takeNew(), &shared.goaways)
    }

    /// Takes one line of a proxy's response to CONNECT; `false` ends the transfer.
    func takeConnectLine(_ line: UnsafeRawBufferPointer) -> Bool {
        switch connection.connectResponse.take(line) {
        case .more, .interim: return true
        case .head:
            // A refusal may not be the last word where libcurl responds to the proxy's challenge.
            guard let refusal = connection.connectResponse.refusal,
                request.proxyAuthentication == nil
            else { return true }
            // What follows explains it to people, and need not come to an end.
            stopReason = TransferFailure(.tunnelRefused, detail: "the proxy refused the tunnel")
            stopReason?.connectHead = refusal
            stopReason?.connectStatus = refusal.status
            return false
        case .malformed:
            stopReason = TransferFailure(
                .malformedHead,
                detail: "the proxy's response to CONNECT is not HTTP, or is larger than 256 KiB"
            )
            return false
        }
    }
}

/// Whether there is a network for a transfer.
extension Transfer {
    /// libcurl is about to connect to an address.
    ///
    /// - Returns: whether it may; otherwise it goes on to the next.
    func mayConnect(to address: SocketAddress) -> Bool {
        let isSkipped = request.connection.needsPath && !NetworkPath.exists(to: address)
        connection.attempts.note(address, isSkipped: isSkipped)
        return !isSkipped
    }

    /// Whether it has failed since this machine has no way to where it was to go.
    ///
    /// - Parameters:
    ///   - code: what it has failed with.
    ///   - systemError: the kernel's `errno` of the connection that failed last.
    /// - Returns: never `true` once something may have left.
    func lacksNetwork(_ code: CurlCode, _ systemError: Int) -> Bool {
        guard !connection.hasSentRequest else { return false }
        return switch code {
        // From there the ways may be others than those that are asked for.
        case .cannotConnect where request.connection.interface != nil:
            NetworkPath.isAbsence(CInt(clamping: systemError))
        case .cannotConnect: connection.attempts.lackPath(systemError)
        // What it was to come from is not there.
        case .interfaceFailed: true
        case .cannotResolveHost, .cannotResolveProxy: !NetworkPath.hasLink
        case .timedOut where request.connection.interface != nil: false
        case .timedOut:
            connection.attempts.isEmpty ? !NetworkPath.hasLink : connection.attempts.lackPath(0)
        default: false
        }
    }
}
