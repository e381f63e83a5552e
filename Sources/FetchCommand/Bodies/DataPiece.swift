/// One `--data`, `--data-binary` or `--json`.
struct DataPiece: Equatable, Sendable {
    let source: InputSource
    /// Whether CR and LF are removed from a file's content, as curl's `--data` does.
    let stripsLineEnds: Bool
    /// Text before a file's content, which is percent-encoded; `nil`: not encoded.
    private(set) var encodedAfter: String?

    init(text: String) {
        source = .text(text)
        stripsLineEnds = false
    }

    /// Reads curl's notation for percent-encoded data: `DATA`, `=DATA`, `NAME=DATA`, `@FILE` and
    /// `NAME@FILE`.
    init(encoding value: FlagValue) throws(UsageError) {
        stripsLineEnds = false
        let bytes = value.text.utf8
        let place =
            bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.firstIndex(of: UInt8(ascii: "@"))
        let name = place.map { String(value.text[..<$0]) } ?? ""
        let content = place.map { String(value.text[bytes.index(after: $0)...]) } ?? value.text
        let prefix = name.isEmpty ? "" : name + "="
        guard let place, bytes[place] == UInt8(ascii: "@") else {
            source = .text(prefix + PercentCoding.encodeForm(content.utf8))
            return
        }
        let file = try InputPath(FlagValue(flag: value.flag, text: content))
        guard file != .standardInput else {
            throw value.invalid(
                "is sent as it arrives, and cannot be encoded",
                hint: "--data-binary @- sends standard input as it is"
            )
        }
        source = .read(file)
        encodedAfter = prefix
    }

    /// Reads curl's notation: `@FILE`, `@-`, or else the data itself.
    init(_ value: FlagValue, stripsLineEnds: Bool) throws(UsageError) {
        self.stripsLineEnds = stripsLineEnds
        if value.text.utf8.first == UInt8(ascii: "@") {
            let path = String(value.text[...].withoutFirstByte)
            source = .read(try InputPath(FlagValue(flag: value.flag, text: path)))
        } else {
            source = .text(value.text)
        }
    }
}

enum InputSource: Equatable, Sendable {
    case text(String)
    /// `@FILE` or `@-`
    case read(InputPath)

    var path: String? { if case .read(let file) = self { file.path } else { nil } }
}

/// A file, or standard input, as the whole body.
struct FileUpload: Equatable, Sendable {
    /// The flag that named the file: the flags differ in the method and in the added fields.
    enum Kind: Sendable {
        /// `--upload-file`: PUT, and the file's name is appended to a URL that ends in `/`.
        case put
        /// `--post-file`: POST, as a form unless a header says otherwise (wget's meaning).
        case post
    }

    let kind: Kind
    let source: InputPath
}
