/// Which fetch this is.
enum Version {
    /// As in `fetch --version` and the `User-Agent` header.
    static let number = "0.1.0"
}
