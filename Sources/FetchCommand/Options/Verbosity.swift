/// How much is said; the last of `-q`, `-nv` and `-v` counts.
enum Verbosity: Sendable {
    /// `-q`: errors only.
    case quiet
    /// `-nv`: a line per task.
    case brief
    case normal
    /// `-v`: what is sent and received too.
    case verbose
    /// `-vv`: the calls to the delegate as well.
    case everything

    /// Whether more is said than usual.
    var isVerbose: Bool { self == .verbose || self == .everything }
}
