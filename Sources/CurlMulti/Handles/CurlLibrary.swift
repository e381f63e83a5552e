import CCrypto
import CCurl
import Glibc

/// libcurl as a whole.
public enum CurlLibrary {
    /// Sets libcurl up, once for the process; every loop asks for it first.
    static let isReady: Bool = {
        shim_keep_until_exit()
        return shim_global_init() == CURLE_OK
    }()

    /// libcurl and the libraries that it uses, with their versions.
    ///
    /// It loads all of them (4.5 M instructions), so it is for `--version` alone.
    public static var version: String {
        String(cString: curl_version())
    }
}

/// Hosts whose names have letters beyond ASCII.
public enum InternationalName {
    /// A host's name as it is looked up, and as servers know it: IDNA in ASCII
    /// ([RFC 5891](https://www.rfc-editor.org/rfc/rfc5891)), as libcurl makes it.
    ///
    /// - Parameter host: a URL's host, its letters percent-encoded or not.
    /// - Returns: the name in lower case; `nil` where there is none, or where IDNA maps a letter to
    ///   one that no name has. U+FF0F becomes `/`, and the host would end before it.
    public static func ascii(_ host: String) -> String? {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        // libcurl reads the name in this thread's own encoding.
        let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        let before = uselocale(utf8)
        defer {
            uselocale(before)
            if let utf8 { freelocale(utf8) }
        }
        var name: UnsafeMutablePointer<CChar>?
        guard curl_url_set(url, CURLUPART_URL, "http://\(host)/", 0) == CURLUE_OK,
            curl_url_get(url, CURLUPART_HOST, &name, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let name
        else { return nil }
        defer { curl_free(name) }
        let text = String(cString: name).lowercased()
        // A name of nothing but letters that IDNA drops, such as a joiner, becomes empty.
        return text.isEmpty || !text.utf8.allSatisfy(isNameByte) ? nil : text
    }

    /// Letters, digits, hyphens and dots, and the underscore that names inside of networks have.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-._".utf8.contains(byte)
    }
}
