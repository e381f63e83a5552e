import SystemPackage
import URLLoading

extension BodyPlan {
    /// What the flags ask to be sent.
    ///
    /// At most one kind of them is there.
    init(_ options: Options, boundary: String) throws(FileFailure) {
        if let upload = options.upload {
            let whole = try Self.streamed(upload.source, stripsLineEnds: false)
            self = try whole.from(options.uploadOffset)
        } else if !options.form.isEmpty {
            var parts: [FormPart] = []
            for field in options.form { parts.append(try FormPart(field)) }
            let own = options.headers.last { HTTPHeaderFields.areSame($0.name, "Content-Type") }
            let named: String? =
                if case .set(let field)? = own { MultipartForm.boundary(of: field.value) } else {
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

    /// A single piece that is sent as it is can be streamed; all others are read.
    private static func joined(
        _ pieces: [DataPiece],
        by separator: [UInt8]
    ) throws(FileFailure) -> BodyPlan {
        if pieces.count == 1, let piece = pieces.first, piece.encodedBehind == nil {
            switch piece.source {
            case .standardInput: return .standardInput(stripsLineEnds: piece.stripsLineEnds)
            case .file where !piece.stripsLineEnds:
                return try streamed(piece.source, stripsLineEnds: false)
            case .file, .text: break
            }
        }
        return .data(try joined(pieces, with: separator))
    }

    /// The pieces of a form, or of a query, in memory.
    static func joined(
        _ pieces: [DataPiece],
        with separator: [UInt8] = [UInt8(ascii: "&")]
    ) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        for (number, piece) in pieces.enumerated() {
            if number > 0 { bytes += separator }
            bytes += try content(of: piece)
        }
        return bytes
    }

    private static func streamed(
        _ source: InputSource,
        stripsLineEnds: Bool
    ) throws(FileFailure) -> BodyPlan {
        switch source {
        case .text(let text): .data(Array(text.utf8))
        case .file(let path): .file(path: path, length: try FileFacts.readable(path))
        case .standardInput: .standardInput(stripsLineEnds: stripsLineEnds)
        }
    }

    /// The body without its first bytes: that of a file, whose length says what is left.
    private func from(_ offset: Int64) throws(FileFailure) -> BodyPlan {
        guard offset > 0, case .file(let path, let length) = self else { return self }
        guard let length else {
            throw FileFailure(path: path, reason: .flawed("is no regular file"))
        }
        guard offset < length else {
            let words = "has \(length) bytes, and so none to be sent from byte \(offset) on"
            throw FileFailure(path: path, reason: .flawed(words))
        }
        return .rest(ofFile: path, from: offset, size: length)
    }

    private static func content(of piece: DataPiece) throws(FileFailure) -> [UInt8] {
        switch piece.source {
        case .text(let text): return Array(text.utf8)
        case .standardInput: return []  // Conflicts lets it stand only alone.
        case .file(let path):
            let bytes = try FileContent.bytes(of: path)
            if let prefix = piece.encodedBehind {
                return Array((prefix + PercentCoding.encodeForm(bytes)).utf8)
            }
            return piece.stripsLineEnds ? bytes.filter { !LineJoiningStream.isDropped($0) } : bytes
        }
    }
}

extension FormPart {
    /// Looks at the field's file, and gives it the media type that curl would.
    fileprivate init(_ field: FormField) throws(FileFailure) {
        name = field.name
        filename = field.filename
        switch field.source {
        case .text(let text): content = .bytes(Array(text.utf8))
        case .standardInput: content = .standardInput
        case .file(let path): content = .file(path: path, length: try FileFacts.readable(path))
        }
        contentType = field.contentType ?? Self.guessedType(of: field)
    }

    /// By the name that the server is told, or else by that of the file here, as curl.
    private static func guessedType(of field: FormField) -> String? {
        if let told = field.filename, let type = MediaType.ofFile(named: told) { return type }
        if case .file(let path) = field.source, let type = MediaType.ofFile(named: path) {
            // A value that is plain text needs no word of it.
            return field.filename == nil && type == "text/plain" ? nil : type
        }
        if case .text = field.source { return nil }
        return field.filename == nil ? nil : MediaType.unknown
    }
}
