import CurlMulti

/// This library's version, by semantic versioning.
public enum URLLoadingVersion {
    /// The version as text.
    public static let text = "1.0.0"

    /// libcurl and the libraries under it, with their versions; it loads them all to know.
    public static var libraries: String { CurlLibrary.version }
}
