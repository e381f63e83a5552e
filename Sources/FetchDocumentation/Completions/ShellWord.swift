import FetchCommand

/// A word for a shell to read.
enum ShellWord {
    /// In single quotes: bash and zsh take everything within as it is.
    static func posix(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// In single quotes of fish, where a backslash and a quote are escaped.
    static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

extension [Flag] {
    /// The flags that cannot be obeyed with one.
    func excluded(by flag: Flag) -> [Flag] {
        filter { $0.isExcluded(by: flag) }
    }
}
