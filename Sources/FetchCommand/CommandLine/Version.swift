import CLinux
import URLLoading

/// The version of fetch.
package enum Version {
    /// As shown by `fetch --version` and sent in the `User-Agent` field.
    package static let number = URLLoadingVersion.text

    /// The text of `--version`: the number, the commit if the build knows it, and the libraries.
    static var text: String {
        let commit = linux_build_commit().map { " (commit \(String(cString: $0)))" } ?? ""
        return "fetch \(number)\(commit)\n\(URLLoadingVersion.libraries)\n"
    }
}
