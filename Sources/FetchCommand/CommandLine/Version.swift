import CLinux
import URLLoading

/// Which fetch this is.
package enum Version {
    /// As in `fetch --version` and the `User-Agent` header.
    package static let number = URLLoadingVersion.text

    /// What `--version` prints: the number, the commit if the build knows it, and the libraries.
    static var text: String {
        let commit = linux_build_commit().map { " (commit \(String(cString: $0)))" } ?? ""
        return "fetch \(number)\(commit)\n\(URLLoadingVersion.libraries)\n"
    }
}
