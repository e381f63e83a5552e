import CCurl
import Glibc

/// One `CURLM*`: the connections, names and TLS sessions that its transfers share.
///
/// It belongs to the thread of the loop that made it.
struct MultiHandle: ~Copyable {
    private let pointer: UnsafeMutableRawPointer

    /// Makes a handle that keeps within these limits.
    init(_ limits: LoopLimits) throws(CurlCode) {
        guard let pointer = curl_multi_init() else { throw .failedInit }
        self.pointer = pointer
        // Connections per host are not libcurl's to count: see OriginGate.
        set(CURLMOPT_MAXCONNECTS, limits.idleConnections)
        set(
            CURLMOPT_PIPELINING,
            limits.multiplexes ? Int(CURLPIPE_MULTIPLEX) : Int(CURLPIPE_NOTHING)
        )
    }

    deinit {
        curl_multi_cleanup(pointer)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        // Known options with values in range cannot be refused.
        _ = shim_multi_setopt_long(pointer, option, value)
    }

    func add(_ easy: borrowing EasyHandle) throws(CurlCode) {
        switch curl_multi_add_handle(pointer, easy.pointer) {
        case CURLM_OK: return
        case CURLM_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .failedInit
        }
    }

    /// Takes a transfer out, wherever it stands; a connection in mid-answer is closed.
    func remove(_ easy: borrowing EasyHandle) {
        _ = curl_multi_remove_handle(pointer, easy.pointer)
    }

    /// Takes out a transfer that has not come to its end.
    ///
    /// It may be in the middle of a name look-up that takes half a minute more: its thread ends by
    /// itself.
    func removeWithoutWaiting(_ easy: borrowing EasyHandle) {
        _ = try? easy.set(CURLOPT_QUICK_EXIT, true)
        remove(easy)
        _ = try? easy.set(CURLOPT_QUICK_EXIT, false)
    }

    /// Moves every transfer on as far as it goes without waiting.
    func perform() {
        var running: Int32 = 0
        _ = curl_multi_perform(pointer, &running)
    }

    /// The next transfer that has ended, by its `CURLOPT_PRIVATE`, and what it came to.
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

    /// Sleeps until a socket of a transfer, the bell, one of `readable`, a timer of libcurl's or the
    /// time given ends the wait.
    ///
    /// - Returns: whether the bell rang, and those of `readable` that have something or have ended.
    ///   They are asked again, since libcurl passes a hang-up over in silence and a pipe's end is
    ///   nothing else; a bell has no end.
    func poll(
        bell: CInt,
        readable: [CInt],
        milliseconds: CInt
    ) -> (hasRung: Bool, ready: [CInt]) {
        var hasRung = false
        var hasAny = false
        withUnsafeTemporaryAllocation(of: curl_waitfd.self, capacity: readable.count + 1) { extra in
            let asked = Int16(CURL_WAIT_POLLIN)
            extra.initializeElement(at: 0, to: curl_waitfd(fd: bell, events: asked, revents: 0))
            for (index, descriptor) in readable.enumerated() {
                extra.initializeElement(
                    at: index + 1,
                    to: curl_waitfd(fd: descriptor, events: asked, revents: 0)
                )
            }
            var ready: Int32 = 0
            _ = curl_multi_poll(
                pointer,
                extra.baseAddress,
                UInt32(extra.count),
                milliseconds,
                &ready
            )
            hasRung = extra[0].revents != 0
            hasAny = ready > 0
        }
        return (hasRung, hasAny ? Self.wait(among: readable, milliseconds: 0) : [])
    }

    /// Those descriptors that have something, or have ended, once there is one or the time is over.
    static func wait(among descriptors: [CInt], milliseconds: CInt) -> [CInt] {
        guard !descriptors.isEmpty else { return [] }
        var asked = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard Glibc.poll(&asked, nfds_t(asked.count), milliseconds) > 0 else { return [] }
        return asked.filter { $0.revents != 0 }.map(\.fd)
    }
}
