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
    func reset() {
        // libcurl 7.88 forgets its list of cookie files on a reset, and never frees it.
        _ = try? set(CURLOPT_COOKIEFILE, nil)
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
        try CurlCode.check(shim_setopt_string(pointer, option, value))
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
