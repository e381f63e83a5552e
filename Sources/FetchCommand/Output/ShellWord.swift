import URLLoading

/// Text as one word for a shell's command line.
enum ShellWord {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,".utf8
    )

    /// The text, quoted if necessary.
    ///
    /// Control characters are written as `$'\x1b'`, which bash, zsh and ksh understand.
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
