/// How much is said; the last of `-q`, `-nv` and `-v` counts.
enum Verbosity: Sendable {
    /// `-q`: errors only.
    case quiet
    /// `-nv`: a line per task.
    case brief
    case normal
    /// `-v`: events as text.
    case verbose
}
