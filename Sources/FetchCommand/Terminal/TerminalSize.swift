/// A terminal's size in characters.
struct TerminalSize: Equatable, Sendable {
    var columns: Int
    var rows: Int
}
