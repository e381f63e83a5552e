import URLLoading

/// Text as a word that can be pasted into a shell.
enum ShellWord {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,".utf8
    )

    /// The text, between quotes where it needs them.
    ///
    /// Control characters are written as `$'\x1b'`, which bash, zsh and ksh read.
    static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        guard text.unicodeScalars.contains(where: Printable.isHarmful) else {
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
        let escaped = text.unicodeScalars.map { scalar in
            if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
            guard Printable.isHarmful(scalar) else { return String(scalar) }
            return scalar.utf8.map { "\\x" + $0.hexText }.joined()
        }
        return "$'" + escaped.joined() + "'"
    }
}

extension Unicode.Scalar {
    fileprivate var utf8: String.UTF8View { String(self).utf8 }
}
