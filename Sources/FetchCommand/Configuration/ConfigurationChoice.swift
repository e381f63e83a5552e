import Glibc
import URLLoading

/// Which configuration file is read.
enum ConfigurationChoice: Equatable, Sendable {
    /// The one that `FETCH_CONFIG` names, or the user's own, where there is one.
    case usual
    /// `--config FILE`.
    case file(String)
    /// `--no-config`.
    case none

    /// The file to read.
    ///
    /// - Parameter environment: the value of a variable.
    /// - Returns: its path, and whether somebody named it, so that it has to be there; `nil` for none.
    func path(
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> (path: String, isNamed: Bool)? {
        switch self {
        case .none: return nil
        case .file(let path): return (path, true)
        case .usual:
            guard let named = environment("FETCH_CONFIG") else {
                return UserFolders().configuration.map { ($0 + "/config", false) }
            }
            return named.isEmpty ? nil : (named, true)
        }
    }
}
