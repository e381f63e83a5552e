import CCurl

/// Owns one `CURLM*`, with its connections, names and TLS sessions; only its loop's thread may use it.
struct MultiHandle: ~Copyable {
    /// The connections that stay open after their transfers have ended.
    private static let idleConnections = 32

    private let pointer: UnsafeMutableRawPointer

    /// Makes a handle that keeps within these limits.
    init(_ limits: LoopLimits) throws(CurlCode) {
        guard let pointer = curl_multi_init() else { throw .failedInit }
        self.pointer = pointer
        // OriginGate, not libcurl, counts the connections per host.
        set(CURLMOPT_MAXCONNECTS, Self.idleConnections)
        set(CURLMOPT_PIPELINING, Int(limits.multiplexes ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING))
    }

    deinit {
        curl_multi_cleanup(pointer)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        // libcurl never refuses a known option with a value in range.
        _ = shim_multi_setopt_long(pointer, option, value)
    }

    func add(_ easy: borrowing EasyHandle) throws(CurlCode) {
        switch curl_multi_add_handle(pointer, easy.pointer) {
        case CURLM_OK: return
        case CURLM_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .failedInit
        }
    }

    /// Removes a transfer in any state; libcurl closes a connection in the middle of a response.
    func remove(_ easy: borrowing EasyHandle) {
        _ = curl_multi_remove_handle(pointer, easy.pointer)
    }

    /// Removes a transfer that has not ended, but waits for no name look-up, which may take half a minute.
    func removeWithoutWaiting(_ easy: borrowing EasyHandle) {
        _ = try? easy.set(CURLOPT_QUICK_EXIT, true)
        remove(easy)
        _ = try? easy.set(CURLOPT_QUICK_EXIT, false)
    }

    /// Lets every transfer continue as far as possible without waiting.
    func perform() -> Bool {
        var running: Int32 = 0
        _ = curl_multi_perform(pointer, &running)
        return running > 0
    }

    /// The next transfer that has ended, as its `CURLOPT_PRIVATE`, and its result.
    func nextEnded() -> (owner: UnsafeMutableRawPointer, code: CurlCode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let handle = message.pointee.easy_handle,
                let owner = EasyHandle.owner(of: handle)
            else { continue }
            return (owner, CurlCode(shim_message_result(message)))
        }
        return nil
    }

    /// Waits for a transfer's socket, a descriptor or a timer of libcurl's, and flags the descriptors that
    /// are readable or closed.
    func poll(_ descriptors: inout [AwaitedDescriptor], milliseconds: CInt) {
        var ready: Int32 = 0
        withUnsafeTemporaryAllocation(of: curl_waitfd.self, capacity: descriptors.count) { extra in
            for (place, awaited) in descriptors.enumerated() {
                let event = Int16(awaited.isWritten ? CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN)
                extra.initializeElement(
                    at: place,
                    to: curl_waitfd(fd: awaited.descriptor, events: event, revents: 0)
                )
            }
            let count = UInt32(extra.count)
            _ = curl_multi_poll(pointer, extra.baseAddress, count, milliseconds, &ready)
            for place in descriptors.indices where extra[place].revents != 0 {
                descriptors[place].isReady = true
            }
        }
        guard ready > 0 else { return }
        AwaitedDescriptor.wait(among: &descriptors, where: \.mayEnd, milliseconds: 0)
    }
}
