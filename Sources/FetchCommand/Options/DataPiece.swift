/// One `--data`, `--data-binary` or `--json`.
struct DataPiece: Equatable, Sendable {
    let source: InputSource
    /// Whether CR and LF are left out of a file's content, as curl's `--data` does.
    let stripsLineEnds: Bool

    /// Reads curl's notation: `@FILE`, `@-`, or else the data itself.
    init(_ value: FlagValue, stripsLineEnds: Bool) throws(UsageError) {
        self.stripsLineEnds = stripsLineEnds
        if value.text.utf8.first == UInt8(ascii: "@") {
            source = try InputSource(
                path: FlagValue(flag: value.flag, text: String(value.text[...].withoutFirstByte))
            )
        } else {
            source = .text(value.text)
        }
    }
}
