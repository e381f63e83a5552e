import Glibc

/// Where this user's files belong, by the XDG Base Directory Specification: `fetch` in each of its
/// folders.
///
/// A path is worked out when it is asked for, and nothing is looked at or made on disk. A variable
/// whose value is not absolute counts as not set, as the specification has it. Where neither the
/// folder's own variable nor `HOME` says anything there is no such folder: what would be kept there
/// lives in memory.
package struct UserFolders {
    private let environment: (String) -> String?

    /// The folders that an environment names.
    package init(
        environment: @escaping (String) -> String? = { name in
            getenv(name).map { String(cString: $0) }
        }
    ) {
        self.environment = environment
    }

    /// What can be made again: `XDG_CACHE_HOME`, or `~/.cache`.
    package var cache: String? { folder("XDG_CACHE_HOME", orHome: ".cache") }

    /// What is worth keeping from run to run, and no more: `XDG_STATE_HOME`, or `~/.local/state`.
    package var state: String? { folder("XDG_STATE_HOME", orHome: ".local/state") }

    /// What the user would miss: `XDG_DATA_HOME`, or `~/.local/share`.
    package var data: String? { folder("XDG_DATA_HOME", orHome: ".local/share") }

    /// What the user has written: `XDG_CONFIG_HOME`, or `~/.config`.
    package var configuration: String? { folder("XDG_CONFIG_HOME", orHome: ".config") }

    private func folder(_ variable: String, orHome path: String) -> String? {
        guard let base = absolute(variable) ?? absolute("HOME").map({ "\($0)/\(path)" }) else {
            return nil
        }
        return base.endsWithBytes(of: "/") ? base + "fetch" : base + "/fetch"
    }

    private func absolute(_ variable: String) -> String? {
        environment(variable).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
}
