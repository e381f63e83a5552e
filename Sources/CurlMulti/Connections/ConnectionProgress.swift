import Glibc

/// The steps that libcurl has taken towards the connection for a transfer's request.
struct ConnectionProgress {
    /// Whether libcurl has begun with the transfer; otherwise the transfer still waits for a free
    /// connection.
    private(set) var hasBegun = false
    /// Whether libcurl still makes the connection, so that a head is a proxy's response to CONNECT.
    private(set) var isConnecting = true
    /// Whether libcurl has made a connection for the request that is about to be sent.
    private(set) var isNew = false
    /// Whether the request's first byte may have been sent; before that, libcurl ignores a pause.
    private(set) var hasSentRequest = false
    /// Whether a line of a proxy's head has arrived, after which the handle must not begin again.
    ///
    /// See ``EasySlot``.
    var hasReceivedHead = false
    /// The proxy's response to CONNECT, as far as it has arrived.
    var connectResponse = ConnectResponse()
    /// The `errno` that kept libcurl from making a socket; 0 if libcurl made one.
    var socketError: CInt = 0
    /// The addresses that libcurl has tried to connect to.
    var attempts = ConnectAttempts()

    /// Notes that libcurl is about to look up a name, connect, or send the request.
    mutating func begin() {
        hasBegun = true
    }

    /// Notes that libcurl makes a connection: the first, or one that replaces a dead one.
    mutating func beginConnecting() {
        hasBegun = true
        isConnecting = true
        isNew = true
        socketError = 0
        connectResponse = ConnectResponse(refusals: connectResponse.refusals)
    }

    /// Notes that libcurl is about to send the request.
    mutating func beginRequest() {
        hasBegun = true
        isConnecting = false
        hasSentRequest = true
    }

    /// Whether libcurl has made a new connection for the request; the next call returns `false`.
    mutating func consumeIsNew() -> Bool {
        defer { isNew = false }
        return isNew
    }

    /// Notes that the loop has removed the transfer from libcurl, and may add it again.
    mutating func withdraw() {
        hasBegun = false
    }
}

/// The addresses that libcurl was to connect a transfer to.
struct ConnectAttempts {
    /// The number of addresses that we note; we judge a name with more addresses by the first ones.
    private static let most = 32

    /// libcurl did not try a skipped address, since this machine had no route to it.
    private var made: [(address: SocketAddress, isSkipped: Bool)] = []

    var isEmpty: Bool { made.isEmpty }

    mutating func note(_ address: SocketAddress, isSkipped: Bool) {
        guard made.count < Self.most else { return }
        made.append((address, isSkipped))
    }

    /// Whether this machine had no route to any of the addresses; `systemError` is libcurl's, or 0.
    ///
    /// libcurl keeps the error of the attempt that failed last. That may be either error if an IPv4
    /// address refuses and an IPv6 address has no route. So we ask the kernel about each address.
    func haveNoPath(_ systemError: Int) -> Bool {
        guard !made.isEmpty else { return false }
        let errors = made.map { attempt in
            attempt.isSkipped ? ENETUNREACH : NetworkPath.error(to: attempt.address)
        }
        let reached = errors.count { $0 == 0 }
        if reached == 0 { return true }
        let error = CInt(clamping: systemError)
        guard NetworkPath.isAbsence(error), !errors.contains(error) else { return false }
        // There was no route, but there is one now: it has appeared since, or not for this interface.
        return reached == 1 || (reached == errors.count && error != EHOSTUNREACH)
    }
}

// The connection, and the request's head.
extension Transfer {
    func begin() {
        connection.begin()
        touch()
    }

    func beginConnecting() {
        connection.beginConnecting()
        touch()
    }

    func beginRequest() {
        connection.beginRequest()
        refusals.beginRequest()
        body.hasSupplied = false
        touch()
    }

    func begin(over name: ConnectionName) {
        refusals.begin(over: name, isNew: connection.consumeIsNew(), &shared.goaways)
    }

    /// Takes one line of a proxy's response to CONNECT; `false` ends the transfer.
    func takeConnectLine(_ line: UnsafeRawBufferPointer) -> Bool {
        connection.hasReceivedHead = true
        switch connection.connectResponse.take(line) {
        case .more, .interim: return true
        case .head:
            // The refusal may not be final if libcurl responds to the proxy's challenge.
            guard let refusal = connection.connectResponse.refusal,
                request.proxyAuthentication == nil
                    || connection.connectResponse.refusals > ResponseReader.maximumRefusals
            else { return true }
            // The rest of the response explains the refusal to people, and may never end.
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

/// Checks whether there is a network for a transfer.
extension Transfer {
    /// Whether libcurl may connect to an address; otherwise it must try the next one.
    func mayConnect(to address: SocketAddress) -> Bool {
        let isSkipped = request.connection.needsPath && !NetworkPath.exists(to: address)
        connection.attempts.note(address, isSkipped: isSkipped)
        return !isSkipped
    }

    /// Whether the transfer has failed because this machine has no route to its host or proxy; never
    /// `true` once a byte of the request may have been sent.
    func hasNoPath(_ code: CurlCode, _ systemError: Int) -> Bool {
        guard !connection.hasSentRequest else { return false }
        return switch code {
        // The interface may have other routes than those that we ask the kernel for.
        case .cannotConnect where request.connection.interface != nil:
            NetworkPath.isAbsence(CInt(clamping: systemError))
        case .cannotConnect: connection.attempts.haveNoPath(systemError)
        // The interface or address that the connection was to start from does not exist.
        case .interfaceFailed: true
        case .cannotResolveHost, .cannotResolveProxy: !NetworkPath.hasLink
        case .timedOut where request.connection.interface != nil: false
        case .timedOut:
            connection.attempts.isEmpty ? !NetworkPath.hasLink : connection.attempts.haveNoPath(0)
        default: false
        }
    }
}
