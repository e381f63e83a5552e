import URLLoading

/// Which fetch this is.
package enum Version {
    /// As in `fetch --version` and the `User-Agent` header.
    package static let number = URLLoadingVersion.text
}
