import CCurl

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

    /// Notes what a request leaves in the handle.
    func note(_ request: TransferRequest) {
        let name = "host:".utf8
        let namesHost = request.headerLines.contains { line in
            // In lower case; a colon stays one.
            line.utf8.prefix(name.count).map { $0 | 0x20 }.elementsEqual(name)
        }
        if namesHost { canBeRecycled = false }
    }

    /// Makes the handle new for its next transfer.
    func recycle() throws(CurlCode) {
        handle.reset()
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
