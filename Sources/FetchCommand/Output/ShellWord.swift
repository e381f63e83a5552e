/// Text as a word that can be pasted into a shell.
enum ShellWord {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,".utf8
    )

    /// The text, between quotes where it needs them.
    static func quoted(_ text: String) -> String {
        let text = Printable.text(text)
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
