import FoundationEssentials

/// Paths from the root, which mean the same whatever folder the process is in later.
package enum AbsolutePath {
    /// The path of a URL that is made of this path.
    ///
    /// A `~` is a name like any other: Foundation would take it for the home folder, and whoever
    /// looks at the path itself would look elsewhere.
    package static func of(_ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : URL(filePath: "./" + path).path
    }
}
