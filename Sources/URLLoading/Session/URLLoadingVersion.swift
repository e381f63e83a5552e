/// This library's version, by semantic versioning.
public enum URLLoadingVersion {
    /// The version as text.
    public static let text = "0.1.0"
}
