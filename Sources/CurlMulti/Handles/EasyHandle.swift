import CCurl

/// Owns one `CURL*`; only the thread of the loop that made it may use it.
struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer

    init() throws(CurlCode) {
        guard let pointer = curl_easy_init() else { throw .failedInit }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
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

    /// Sets a text option, which libcurl copies; `nil` removes libcurl's built-in default.
    func set(_ option: CURLoption, _ value: String?) throws(CurlCode) {
        // `withCString` lends the text; for an argument of C's type, Swift would copy it to an array.
        let code =
            value?.withCString { shim_setopt_string(pointer, option, $0) }
            ?? shim_setopt_string(pointer, option, nil)
        try CurlCode.check(code)
    }

    /// Sets a pointer that libcurl keeps: its memory must outlive the transfer.
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(CurlCode) {
        try CurlCode.check(shim_setopt_pointer(pointer, option, value))
    }

    /// Pauses or resumes the two directions (`CURLPAUSE_RECV`, `CURLPAUSE_SEND`).
    ///
    /// When it resumes, libcurl may call the write callback before this returns.
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

    /// The pointer that the handle's owner set as `CURLOPT_PRIVATE`.
    static func owner(of handle: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var value: UnsafeMutableRawPointer?
        return shim_getinfo_pointer(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : nil
    }
}

extension EasyHandle {
    /// Removes all cookies from libcurl's jar, and returns them as lines of a Netscape cookie file.
    ///
    /// It omits a line that is not UTF-8, since we could not send that cookie back unchanged.
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

// Unchecked, because a pointer is not Sendable: neither this code nor libcurl changes the list after `init`,
// and `deinit` runs once.
/// Owns a `curl_slist`, which libcurl reads during the whole transfer and never copies.
struct StringList: ~Copyable, @unchecked Sendable {
    let head: UnsafeMutablePointer<curl_slist>?

    init() {
        head = nil
    }

    /// Makes a list of lines, or throws: with one line lost, libcurl would send a different request.
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

/// Header lines, and the list of them that libcurl reads: many transfers may share it.
package final class HeaderLines: Sendable {
    package static let empty = HeaderLines([])

    package let lines: [String]
    /// Empty also if there was no memory for it.
    private let list: StringList

    package init(_ lines: [String]) {
        self.lines = lines
        do throws(CurlCode) { list = try StringList(lines) } catch { list = StringList() }
    }

    /// Sets the lines of a transfer's head, which keeps this object; throws if the list had no memory.
    func apply(to handle: borrowing EasyHandle) throws(CurlCode) {
        guard list.head != nil || lines.isEmpty else { throw .outOfMemory }
        try handle.set(CURLOPT_HTTPHEADER, pointer: list.head)
    }
}

/// A handle, and the buffer that libcurl writes its error text to; for one transfer.
///
/// No handle is used again. libcurl 7.88 keeps a pointer to the last field of a handle's last response, and frees
/// that field. A head that begins with a folded line makes it use the pointer ([curl
/// #11101](https://github.com/curl/curl/issues/11101)). A reset clears neither that nor the name of a `Host` line
/// ([CVE-2026-6276](https://curl.se/docs/CVE-2026-6276.html)).
final class EasySlot {
    let handle: EasyHandle
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() throws(CurlCode) {
        handle = try EasyHandle()
        errorBuffer[0] = 0
        try handle.set(CURLOPT_ERRORBUFFER, pointer: UnsafeMutableRawPointer(errorBuffer))
    }

    deinit {
        // libcurl may still write to the buffer while it ends the transfer.
        _ = try? handle.set(CURLOPT_ERRORBUFFER, pointer: nil)
        errorBuffer.deallocate()
    }

    /// Sets all options of a request except its other lists and the callbacks.
    func apply(_ request: TransferRequest, trusting bundle: CertificateBundle?) throws(CurlCode) {
        try handle.apply(request, trusting: bundle)
        try request.header.apply(to: handle)
    }

    /// libcurl's text for the error, if it wrote one.
    var errorText: String? {
        errorBuffer[0] == 0 ? nil : String(cString: errorBuffer)
    }
}
