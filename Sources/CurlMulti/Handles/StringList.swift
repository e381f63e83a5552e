import CCurl

/// A `curl_slist`, which libcurl reads for as long as the transfer lives and never copies.
struct StringList: ~Copyable {
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    /// Makes a list of these lines.
    ///
    /// Throws `CurlCode.outOfMemory`: a list that lost a line would be another request.
    init(_ lines: [String]) throws(CurlCode) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
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
