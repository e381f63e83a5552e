/// The standard input of a process under test.
public enum ProcessInput: Sendable {
    /// `/dev/null`, the default.
    case null
    /// No descriptor 0 at all, as after `<&-` in a shell.
    case closed
    /// A pipe that delivers these bytes and then ends.
    case bytes([UInt8])
    /// A pipe that stays open: `RunningProcess.write(_:)` fills it, `closeInput()` ends it.
    case pipe
    /// A file, whose size the process can see.
    case file(String)

    /// A pipe that delivers a text in UTF-8 and then ends.
    public static func text(_ text: String) -> Self {
        .bytes(Array(text.utf8))
    }
}
