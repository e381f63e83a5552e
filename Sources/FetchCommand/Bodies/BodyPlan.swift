import SystemPackage
import URLLoading

/// The body of a request, as the command line describes it, or the content of a form's part.
enum BodyPlan: Equatable, Sendable {
    case none
    case data([UInt8])
    /// A streamed file; `length` is `nil` if the path is not a regular file.
    case file(path: String, length: Int64?)
    /// A streamed regular file, from a byte offset to its end.
    case rest(ofFile: String, from: Int64, size: Int64)
    /// Standard input as a stream; if line ends are stripped, the body is shorter than the input.
    case standardInput(stripsLineEnds: Bool)
    case form(MultipartForm)

    /// In bytes; `nil` if unknown before the body is read, and always for standard input.
    var length: Int64? {
        switch self {
        case .none: 0
        case .data(let bytes): Int64(bytes.count)
        case .file(_, let length): length
        case .rest(_, let offset, let size): size - offset
        case .standardInput: nil
        case .form(let form): form.length
        }
    }

    /// Whether there is a body, even an empty one.
    var isSent: Bool {
        if case .none = self { false } else { true }
    }

    var readsStandardInput: Bool {
        switch self {
        case .standardInput: true
        case .form(let form): form.parts.contains(where: \.content.readsStandardInput)
        case .none, .data, .file, .rest: false
        }
    }

    /// The body that the flags describe; `Conflicts` has checked that at most one kind is given.
    init(_ options: Options, boundary: String) throws(UsageError) {
        if let upload = options.upload {
            let whole = try Self.streamed(upload.source)
            self = try whole.from(options.uploadOffset)
        } else if !options.form.isEmpty {
            var parts: [FormPart] = []
            for field in options.form { parts.append(try FormPart(field)) }
            let named: String? =
                if case .set(let field)? = options.header("Content-Type") {
                    MultipartForm.boundary(of: field.value)
                } else {
                    nil
                }
            self = .form(MultipartForm(boundary: named ?? boundary, parts: parts))
        } else if !options.json.isEmpty {
            self = try Self.joined(options.json, by: [])
        } else if !options.data.isEmpty {
            self = try Self.joined(options.data, by: [UInt8(ascii: "&")])
        } else {
            self = .none
        }
    }

    /// A single unencoded piece can be streamed; all others are read into memory.
    private static func joined(
        _ pieces: [DataPiece],
        by separator: [UInt8]
    ) throws(UsageError) -> BodyPlan {
        if pieces.count == 1, let piece = pieces.first, piece.encodedAfter == nil {
            switch piece.source {
            case .read(.standardInput):
                return .standardInput(stripsLineEnds: piece.stripsLineEnds)
            case .read(let file) where !piece.stripsLineEnds: return try streamed(file)
            case .read, .text: break
            }
        }
        return .data(try joined(pieces, with: separator))
    }

    /// The pieces of a form or of a query, joined in memory.
    static func joined(
        _ pieces: [DataPiece],
        with separator: [UInt8] = [UInt8(ascii: "&")]
    ) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (number, piece) in pieces.enumerated() {
            if number > 0 { bytes += separator }
            bytes += try content(of: piece)
        }
        return bytes
    }

    fileprivate static func streamed(_ source: InputPath) throws(UsageError) -> BodyPlan {
        switch source {
        case .file(let path): .file(path: path, length: try FileFacts.readable(path))
        case .standardInput: .standardInput(stripsLineEnds: false)
        }
    }

    private func from(_ offset: Int64) throws(UsageError) -> BodyPlan {
        guard offset > 0, case .file(let path, let length) = self else { return self }
        guard let length else { throw .file(path: path, "is not a regular file") }
        guard offset < length else {
            let words = "has \(length) bytes, so there is nothing to send from byte \(offset)"
            throw .file(path: path, words)
        }
        return .rest(ofFile: path, from: offset, size: length)
    }

    /// The most bytes of a file to keep in memory; a device may have no end.
    private static let dataLimit = 1 << 30

    private static func content(of piece: DataPiece) throws(UsageError) -> [UInt8] {
        switch piece.source {
        case .text(let text): return Array(text.utf8)
        // `Conflicts` allows it only as the single piece.
        case .read(.standardInput): return []
        case .read(.file(let path)):
            let bytes = try FileContent.bytes(of: path, limit: dataLimit)
            if let prefix = piece.encodedAfter {
                return Array((prefix + PercentCoding.encodeForm(bytes)).utf8)
            }
            return piece.stripsLineEnds ? bytes.filter { !LineJoiningStream.isDropped($0) } : bytes
        }
    }
}

extension FormPart {
    /// Checks the field's file, and chooses the media type as curl does.
    fileprivate init(_ field: FormField) throws(UsageError) {
        name = field.name
        filename = field.filename
        switch field.source {
        case .text(let text): content = .data(Array(text.utf8))
        case .read(let file): content = try .streamed(file)
        }
        contentType = field.contentType ?? Self.guessedType(of: field)
    }

    /// The media type for the file name sent to the server, or else for the local name, as in curl.
    private static func guessedType(of field: FormField) -> String? {
        if let name = field.filename, let type = MediaType.ofFile(named: name) { return type }
        if let path = field.source.path, let type = MediaType.ofFile(named: path) {
            // A value read from a text file needs no type.
            return field.filename == nil && type == "text/plain" ? nil : type
        }
        if case .text = field.source { return nil }
        return field.filename == nil ? nil : MediaType.unknown
    }
}

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

    /// Reads curl's notation: `DATA`, `=DATA`, `NAME=DATA`, `@FILE` and `NAME@FILE`.
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
        let file = try InputPath(value.with(content))
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
            source = .read(try InputPath(value.with(path)))
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
