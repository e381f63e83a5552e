import CCurl

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
