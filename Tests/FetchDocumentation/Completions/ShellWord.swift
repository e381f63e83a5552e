import FetchCommand

/// Quotes text as one word for a shell.
enum ShellWord {
    /// In single quotes, within which bash and zsh take every character literally.
    static func posix(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// In fish's single quotes, within which a backslash and a quote are escaped.
    static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

extension [Flag] {
    /// The flags that cannot be combined with a flag.
    func excluded(by flag: Flag) -> [Flag] {
        filter { $0.isExcluded(by: flag) }
    }
}
