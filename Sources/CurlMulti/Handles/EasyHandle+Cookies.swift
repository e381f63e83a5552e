import CCurl

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
