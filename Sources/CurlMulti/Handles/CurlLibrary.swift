import CCrypto
import CCurl
import Glibc

/// Represents libcurl as a whole.
package enum CurlLibrary {
    /// Initialises libcurl, once for the process; every loop reads it first.
    static let isReady: Bool = {
        shim_keep_until_exit()
        return shim_global_init() == CURLE_OK
    }()

    // Unchecked: `locale_t` is a pointer to C's object. All threads share it, and none changes or frees it.
    /// UTF-8, whatever the program's locale is; `nil` where the system has no such locale.
    nonisolated(unsafe) static let utf8Locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// The versions of libcurl and of the libraries that it uses.
    ///
    /// libcurl loads all of them for this (4.5 M instructions), so only `--version` should read it.
    package static var version: String {
        String(cString: curl_version())
    }
}

/// Converts host names that have letters beyond ASCII.
package enum InternationalName {
    /// Converts a host's name to the form that name look-ups and servers use.
    ///
    /// libcurl makes that form: IDNA in ASCII ([RFC 5891](https://www.rfc-editor.org/rfc/rfc5891)).
    ///
    /// - Parameter host: a URL's host, its letters percent-encoded or not.
    /// - Returns: the name in lower case; `nil` if it has no such form, or if IDNA maps a letter to one
    ///   that no name may contain. U+FF0F becomes `/`, and the host would end before it.
    package static func ascii(_ host: String) -> String? {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        // libcurl reads the name in the encoding of this thread's locale.
        let before = uselocale(CurlLibrary.utf8Locale)
        defer { uselocale(before) }
        var name: UnsafeMutablePointer<CChar>?
        guard curl_url_set(url, CURLUPART_URL, "http://\(host)/", 0) == CURLUE_OK,
            curl_url_get(url, CURLUPART_HOST, &name, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let name
        else { return nil }
        defer { curl_free(name) }
        let text = String(cString: name).lowercased()
        // IDNA drops some letters, such as a joiner; a name of nothing else becomes empty.
        return text.isEmpty || !text.utf8.allSatisfy(isNameByte) ? nil : text
    }

    /// Letters, digits, hyphens and dots, and the underscore, which internal networks use in names.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-._".utf8.contains(byte)
    }
}
