/// Whether there is a network for a transfer.
extension Transfer {
    /// libcurl is about to connect to an address.
    ///
    /// - Returns: whether it may; otherwise it goes on to the next.
    func mayConnect(to address: SocketAddress) -> Bool {
        let isPassedOver = needsPath && !NetworkPath.exists(to: address)
        attempts.note(address, isPassedOver: isPassedOver)
        return !isPassedOver
    }

    /// Whether it has failed since this machine has no way to where it was to go.
    ///
    /// - Parameters:
    ///   - code: what it has failed with.
    ///   - systemError: the kernel's `errno` of the connection that failed last.
    /// - Returns: never `true` once something may have left.
    func lacksNetwork(_ code: CurlCode, _ systemError: Int) -> Bool {
        guard !hasSentRequest else { return false }
        return switch code {
        // From there the ways may be others than those that are asked for.
        case .cannotConnect where isBound: NetworkPath.isAbsence(CInt(clamping: systemError))
        case .cannotConnect: attempts.lackPath(systemError)
        // What it was to come from is not there.
        case .interfaceFailed: true
        case .cannotResolveHost, .cannotResolveProxy: !NetworkPath.hasLink
        case .timedOut where isBound: false
        case .timedOut: attempts.isEmpty ? !NetworkPath.hasLink : attempts.lackPath(0)
        default: false
        }
    }
}
