import CCurl

/// One `CURL*`: owned, never copied, freed with its last owner.
///
/// It belongs to the thread of the loop that made it.
struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer

    /// Makes a handle with libcurl's defaults.
    init() throws(CurlCode) {
        guard let pointer = curl_easy_init() else { throw .failedInit }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
    }

    /// Takes every option back to its default; connections, names and TLS sessions are kept.
    ///
    /// - Parameter hasCookies: whether it has had a cookie engine, which is taken away.
    func reset(hasCookies: Bool) {
        // libcurl 7.88 forgets its list of cookie files on a reset, and never frees it.
        if hasCookies { _ = try? set(CURLOPT_COOKIEFILE, nil) }
        curl_easy_reset(pointer)
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlCode) {
        try CurlCode.check(shim_setopt_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(CurlCode) {
        try set(option, value ? 1 : 0)
    }

    /// Sets an option that libcurl declares as `curl_off_t`.
    func set(_ option: CURLoption, offset value: Int64) throws(CurlCode) {
        try CurlCode.check(shim_setopt_offset(pointer, option, curl_off_t(value)))
    }

    /// Sets a text option, which libcurl copies; `nil` takes libcurl's built-in default away.
    func set(_ option: CURLoption, _ value: String?) throws(CurlCode) {
        // `withCString` lends the text; an argument of C's type would be a copy in an array.
        let code =
            value?.withCString { shim_setopt_string(pointer, option, $0) }
            ?? shim_setopt_string(pointer, option, nil)
        try CurlCode.check(code)
    }

    /// Sets a pointer that libcurl keeps: what it points to must outlive the transfer.
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(CurlCode) {
        try CurlCode.check(shim_setopt_pointer(pointer, option, value))
    }

    /// Stops or goes on in the two directions (`CURLPAUSE_RECV`, `CURLPAUSE_SEND`).
    ///
    /// Going on may call the write callback before this returns.
    func pause(_ mask: Int32) -> CurlCode {
        CurlCode(curl_easy_pause(pointer, mask))
    }
}

extension EasyHandle {
    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return shim_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    /// A number that libcurl keeps as `curl_off_t`: bytes, or microseconds.
    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return shim_getinfo_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard shim_getinfo_string(pointer, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    /// The pointer that was set as `CURLOPT_PRIVATE`.
    static func owner(of handle: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var value: UnsafeMutableRawPointer?
        return shim_getinfo_pointer(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : nil
    }
}

extension EasyHandle {
    /// The cookies in libcurl's jar as lines of a Netscape cookie file; the jar is empty afterwards.
    ///
    /// A line that is not UTF-8 could not be sent back as it came, and is left out.
    func takeCookies() -> [String] {
        var list: UnsafeMutableRawPointer?
        guard shim_getinfo_pointer(pointer, CURLINFO_COOKIELIST, &list) == CURLE_OK else {
            return []
        }
        let first = list?.assumingMemoryBound(to: curl_slist.self)
        defer {
            curl_slist_free_all(first)
            _ = try? set(CURLOPT_COOKIELIST, "ALL")
        }
        var lines: [String] = []
        var next = first
        while let entry = next {
            if let text = entry.pointee.data, let line = String(validatingCString: text) {
                lines.append(line)
            }
            next = entry.pointee.next
        }
        return lines
    }
}

/// A `curl_slist`, which libcurl reads for as long as the transfer lives and never copies.
struct StringList: ~Copyable {
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    /// Makes a list of these lines.
    ///
    /// Throws `CurlCode.outOfMemory`: a list that lost a line would be another request.
    init(_ lines: [String]) throws(CurlCode) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = line.withCString({ curl_slist_append(list, $0) }) else {
                curl_slist_free_all(list)
                throw .outOfMemory
            }
            list = longer
        }
        head = list
    }

    deinit {
        curl_slist_free_all(head)
    }
}

/// A handle and the buffer that libcurl writes its words of failure to; used again and again.
final class EasySlot {
    let handle: EasyHandle
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() throws(CurlCode) {
        handle = try EasyHandle()
        try prepare()
    }

    deinit {
        // libcurl may still write to it while it ends the transfer.
        _ = try? handle.set(CURLOPT_ERRORBUFFER, pointer: nil)
        errorBuffer.deallocate()
    }

    /// Whether a transfer leaves nothing in the handle that a reset would not take away.
    ///
    /// libcurl keeps the name of a `Host` line of ours, and takes the cookies of a later transfer
    /// for that host's ([CVE-2026-6276](https://curl.se/docs/CVE-2026-6276.html)).
    private(set) var canBeRecycled = true
    /// Whether libcurl's cookie engine is on.
    private var hasCookies = false

    /// Sets everything of a request but its lists and the callbacks.
    func apply(
        _ request: TransferRequest,
        trusting bundle: CertificateBundle?
    ) throws(CurlCode) {
        hasCookies = request.readsCookies
        try handle.apply(request, trusting: bundle)
        for line in request.headerLines where line.utf8.begins(with: "host:") {
            canBeRecycled = false
        }
    }

    /// Makes the handle new for its next transfer: only a reset takes back libcurl's count of what
    /// it has sent again, and the counters of the last transfer.
    func recycle() throws(CurlCode) {
        handle.reset(hasCookies: hasCookies)
        hasCookies = false
        try prepare()
    }

    private func prepare() throws(CurlCode) {
        errorBuffer[0] = 0
        try handle.set(CURLOPT_ERRORBUFFER, pointer: UnsafeMutableRawPointer(errorBuffer))
    }

    /// libcurl's words for what went wrong, if it had any.
    var errorText: String? {
        errorBuffer[0] == 0 ? nil : String(cString: errorBuffer)
    }
}
