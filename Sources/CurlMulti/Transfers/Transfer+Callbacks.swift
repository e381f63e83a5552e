import CCurl
import CLinux
import Glibc

/// libcurl's callbacks: each finds its transfer, passes the bytes to it, and returns a verdict.
extension Transfer {
    func installCallbacks() throws(CurlCode) {
        // Unretained: the loop keeps the transfer until libcurl has released the handle.
        let me = Unmanaged.passUnretained(self).toOpaque()
        let easy = slot.handle.pointer
        for option in ownerOptions { try slot.handle.set(option, pointer: me) }
        try CurlCode.check(shim_setopt_data_callback(easy, CURLOPT_HEADERFUNCTION, onHeadLine))
        try CurlCode.check(shim_setopt_data_callback(easy, CURLOPT_WRITEFUNCTION, onBody))
        try CurlCode.check(shim_setopt_data_callback(easy, CURLOPT_READFUNCTION, onSupply))
        try CurlCode.check(shim_setopt_seek_callback(easy, onSeek))
        try CurlCode.check(shim_setopt_opensocket_callback(easy, onOpenSocket))
        try CurlCode.check(shim_setopt_sockopt_callback(easy, onSocket))
        try CurlCode.check(shim_setopt_prereq_callback(easy, onRequest))
        try CurlCode.check(shim_setopt_resolver_start_callback(easy, onResolve))
        try CurlCode.check(shim_setopt_ssl_context_callback(easy, onTLS))
        if request.tracesTransfer || measurements?.recordsHeads == true || refusals.isTracking
            || (shared.goaways.tracedTransfers > 0 && mayMultiplex)
        {
            try trace()
        }
        guard request.body != .none else { return }
        // libcurl reads up to 512 KiB of a body at once, and calls no other callback while it sends them.
        try slot.handle.set(CURLOPT_NOPROGRESS, false)
        try slot.handle.set(CURLOPT_XFERINFODATA, pointer: me)
        try CurlCode.check(shim_setopt_progress_callback(easy, onProgress))
    }

    /// Enables libcurl's debug callback.
    func trace() throws(CurlCode) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        try slot.handle.set(CURLOPT_VERBOSE, true)
        try slot.handle.set(CURLOPT_DEBUGDATA, pointer: me)
        try CurlCode.check(shim_setopt_debug_callback(slot.handle.pointer, onTrace))
    }

    /// Passes a piece of libcurl's trace to the handler, if the request wants it.
    fileprivate func trace(_ kind: TraceKind, _ bytes: UnsafeRawBufferPointer) {
        if request.tracesTransfer { handler.didTrace(kind, bytes) }
    }

    fileprivate static func from(_ owner: UnsafeMutableRawPointer?) -> Transfer? {
        owner.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The options whose values libcurl passes to the callbacks.
private let ownerOptions = [
    CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
    CURLOPT_SOCKOPTDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA, CURLOPT_RESOLVER_START_DATA,
    CURLOPT_SSL_CTX_DATA,
]

private let onHeadLine: curl_write_callback = { bytes, size, count, owner in
    guard let transfer = Transfer.from(owner) else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.takeHeadLine(line) ? line.count : 0
}

private let onBody: curl_write_callback = { bytes, size, count, owner in
    guard let transfer = Transfer.from(owner) else { return 0 }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    switch transfer.takeBody(piece) {
    case .taken: return piece.count
    case .pause: return Int(CURL_WRITEFUNC_PAUSE)
    case .stop: return Int(CURL_WRITEFUNC_ERROR)
    }
}

private let onSupply: curl_write_callback = { bytes, size, count, owner in
    guard let transfer = Transfer.from(owner) else { return Int(CURL_READFUNC_ABORT) }
    switch transfer.supplyBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
    case .bytes(let count): return count
    case .end: return 0
    case .waitForReadable, .pause: return Int(CURL_READFUNC_PAUSE)
    case .stop: return Int(CURL_READFUNC_ABORT)
    }
}

private let onSeek: curl_seek_callback = { owner, offset, origin in
    guard let transfer = Transfer.from(owner), origin == SEEK_SET,
        transfer.rewindBody(to: Int64(offset))
    else { return CURL_SEEKFUNC_FAIL }
    return CURL_SEEKFUNC_OK
}

private let onProgress: curl_xferinfo_callback = { owner, _, _, _, sent in
    Transfer.from(owner)?.noteSent(Int64(sent))
    return 0
}

private let onTrace: curl_debug_callback = { _, kind, bytes, count, owner in
    guard let transfer = Transfer.from(owner) else { return 0 }
    let text = UnsafeRawBufferPointer(start: bytes, count: count)
    switch kind {
    case CURLINFO_HEADER_OUT:
        transfer.measurements?.note(sentHead: text)
        transfer.trace(.sent, text)
    case CURLINFO_HEADER_IN: transfer.trace(.received, text)
    case CURLINFO_TEXT:
        transfer.refusals.note(trace: text, &transfer.shared.goaways)
        transfer.trace(.note, text)
    default: break
    }
    return 0
}

private let onOpenSocket: curl_opensocket_callback = { owner, _, address in
    guard let address, let transfer = Transfer.from(owner),
        transfer.mayConnect(to: SocketAddress(address))
    else { return CURL_SOCKET_BAD }
    let made = socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    if made < 0 { transfer.connection.socketError = errno }
    return made
}

private let onSocket: curl_sockopt_callback = { owner, socket, _ in
    // A program that our process starts must not keep our connections open.
    linux_close_on_exec(socket)
    let transfer = Transfer.from(owner)
    if let trafficClass = transfer?.request.connection.trafficClass, trafficClass != 0 {
        setTrafficClass(trafficClass, of: socket)
    }
    transfer?.beginConnecting()
    return CURL_SOCKOPT_OK
}

/// Sets the traffic class of a socket; ignores the failure for a Unix socket, which has none.
private func setTrafficClass(_ trafficClass: UInt8, of socket: CInt) {
    var value = CInt(trafficClass)
    let size = socklen_t(MemoryLayout<CInt>.size)
    _ = setsockopt(socket, CInt(IPPROTO_IP), IP_TOS, &value, size)
    _ = setsockopt(socket, CInt(IPPROTO_IPV6), IPV6_TCLASS, &value, size)
}

private let onTLS: curl_ssl_ctx_callback = { _, context, owner in
    guard let transfer = Transfer.from(owner), transfer.beginHandshake(context) else {
        return CURLE_ABORTED_BY_CALLBACK
    }
    return CURLE_OK
}

private let onRequest: curl_prereq_callback = { owner, address, _, port, ownPort in
    guard let transfer = Transfer.from(owner), transfer.mayBeginRequest() else {
        return CURL_PREREQFUNC_ABORT
    }
    transfer.beginRequest()
    // Connections over a Unix socket have no port that distinguishes them.
    if transfer.mayMultiplex || transfer.refusals.isTracking, ownPort > 0, let address {
        transfer.begin(
            over: ConnectionName(address: String(cString: address), port: port, ownPort: ownPort)
        )
    }
    return CURL_PREREQFUNC_OK
}

private let onResolve: curl_resolver_start_callback = { _, _, owner in
    Transfer.from(owner)?.begin()
    return 0
}
