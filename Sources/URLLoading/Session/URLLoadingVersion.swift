import CurlMulti

/// This library's version, by semantic versioning.
public enum URLLoadingVersion {
    /// The version as text.
    public static let text = "1.1.0"

    /// The versions of libcurl and its libraries.
    ///
    /// Reading this property loads all of them.
    public static var libraries: String { CurlLibrary.version }
}
