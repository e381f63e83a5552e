/// Whether a body that the server codes is undone: `--compression`.
enum CompressionChoice: String, CaseIterable, Sendable {
    /// Unless the header asks for codings itself.
    case auto
    /// It is neither asked for nor undone.
    case none
}
