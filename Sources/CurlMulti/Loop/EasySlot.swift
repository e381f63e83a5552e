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
