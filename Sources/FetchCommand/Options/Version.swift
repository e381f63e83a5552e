import URLLoading

/// Which fetch this is.
enum Version {
    /// As in `fetch --version` and the `User-Agent` header.
    static let number = URLLoadingVersion.text
}
