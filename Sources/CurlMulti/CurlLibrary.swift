import CCurl

/// libcurl as a whole.
public enum CurlLibrary {
    /// Sets libcurl up, once for the process; every loop asks for it first.
    static let isReady: Bool = shim_global_init() == CURLE_OK

    /// libcurl and the libraries it stands on, with their versions.
    ///
    /// It loads all of them (4.5 M instructions), so it is for `--version` alone.
    public static var version: String {
        String(cString: curl_version())
    }
}
