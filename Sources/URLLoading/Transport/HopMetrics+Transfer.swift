import CurlMulti

extension HopMetrics {
    /// Converts the engine's metrics of a hop that read `supplied` bytes of its body; `nil` where none were
    /// collected.
    init?(_ metrics: TransferMetrics, supplied: Int64, proxy: ProxyServer?) {
        guard metrics.isComplete else { return nil }
        self.init()
        fetchType = .networkLoad
        begun = metrics.begun
        waited = metrics.waited.microseconds
        nameLookup = metrics.nameLookup.microseconds
        connect = metrics.connect.microseconds
        secureConnect = metrics.secureConnect.microseconds
        requestStart = metrics.pretransfer.microseconds
        responseStart = requestStart > 0 ? metrics.firstByte.microseconds : 0
        end = max(metrics.total.microseconds, responseStart, requestStart)
        requestEnd = requestStart
        if requestStart > 0, supplied > 0 {
            requestEnd = min(max(metrics.lastSent.microseconds, requestStart), end)
        }
        requestHeadBytes = Int64(metrics.requestHeadBytes)
        requestBodyBytes = metrics.requestBodyBytes
        requestBodyBytesBeforeEncoding = supplied
        responseHeadBytes = Int64(metrics.responseHeadBytes)
        responseBodyBytes = metrics.responseBodyBytes
        networkProtocolName = requestStart > 0 ? metrics.networkProtocol : nil
        connections = metrics.connections
        isProxyConnection = proxy != nil
        localAddress = metrics.localAddress
        localPort = metrics.localPort > 0 ? metrics.localPort : nil
        remoteAddress = metrics.remoteAddress
        remotePort = metrics.remotePort > 0 ? metrics.remotePort : nil
        tlsVersion = metrics.security.flatMap { UInt16(exactly: $0.version) }
        tlsCipherSuite = metrics.security?.cipherSuite
        certificateVerdict = metrics.certificateVerdict
        proxyCertificateVerdict = metrics.proxyCertificateVerdict
        connectStatus = metrics.connectStatus
        certificates = metrics.security?.certificates ?? []
        requestHead = metrics.requestHead
    }
}

extension Duration {
    /// Whole microseconds, at least 0.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
