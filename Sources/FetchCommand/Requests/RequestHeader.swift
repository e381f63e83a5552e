import URLLoading

/// The fields of a request's header: the defaults, with the user's changes.
struct RequestHeader: Equatable {
    /// Defaults first, then the user's fields in order.
    let fields: HTTPHeaderFields
    let removed: [String]
    /// Whether the user has set or removed the field for credentials.
    let setsAuthorization: Bool

    /// A field of `-H` replaces the default of its name; the last edit of a name applies.
    init(_ options: Options, body: BodyPlan, entityTag: String? = nil) {
        var own: [HeaderField] = []
        var removed: [String] = []
        for edit in options.headers {
            switch edit {
            case .set(let field):
                removed.removeAll { field.isNamed($0) }
                own.append(field)
            case .remove(let name):
                own.removeAll { $0.isNamed(name) }
                removed.removeAll { $0.lowercased() == name.lowercased() }
                removed.append(name)
            // `readingHeaderFiles` has replaced it with the file's lines.
            case .file: break
            }
        }
        var fields: [HeaderField] = []
        for field in Self.defaults(options, body: body, entityTag: entityTag) {
            let isReplaced =
                own.contains { $0.isNamed(field.name) } || removed.contains(where: field.isNamed)
            guard !isReplaced else { continue }
            if field.value.isEmpty {
                removed.append(field.name)  // For -U '' and --referer ''.
            } else {
                fields.append(field)
            }
        }
        if case .form(let form) = body {
            own = own.map { field in
                guard field.isNamed("Content-Type") else { return field }
                return HeaderField(field.name, form.contentType(field.value))
            }
        }
        var all = HTTPHeaderFields()
        for field in fields + own { all.add(field.value, to: field.name) }
        self.fields = all
        self.removed = removed
        setsAuthorization =
            all.first("Authorization") != nil
            || removed.contains { HTTPHeaderFields.areSame($0, "Authorization") }
    }

    private static func defaults(
        _ options: Options,
        body: BodyPlan,
        entityTag: String?
    ) -> [HeaderField] {
        var fields = [
            HeaderField("User-Agent", options.userAgent ?? "fetch/\(Version.number)"),
            HeaderField("Accept", options.json.isEmpty ? "*/*" : "application/json"),
        ]
        if let referer = options.referer { fields.append(HeaderField("Referer", referer)) }
        if let condition = options.timeCondition { fields.append(condition) }
        if let entityTag { fields.append(HeaderField("If-None-Match", entityTag)) }
        if case .rest(_, let offset, let size) = body {
            fields.append(HeaderField("Content-Range", "bytes \(offset)-\(size - 1)/\(size)"))
        }
        if let range = options.responses.range { fields.append(HeaderField("Range", range.field)) }
        if options.refusesCaches {
            fields.append(HeaderField("Cache-Control", "no-cache"))
            fields.append(HeaderField("Pragma", "no-cache"))
        }
        if let type = contentType(options, body: body) {
            fields.append(HeaderField("Content-Type", type))
        }
        return fields
    }

    /// The Content-Type that curl sends, or wget for `--post-file`; `nil` for `--upload-file`.
    private static func contentType(_ options: Options, body: BodyPlan) -> String? {
        if case .form(let form) = body { return form.contentType }
        if !options.json.isEmpty { return "application/json" }
        return !options.data.isEmpty || options.upload?.kind == .post
            ? "application/x-www-form-urlencoded" : nil
    }
}

extension Options {
    /// The largest file of header lines, in bytes.
    private static let headerLimit = 1 << 20

    /// The options with the lines of each `-H @FILE` in place of the file.
    ///
    /// Their values are secrets, without variables. Throws if a file or a line is invalid.
    func readingHeaderFiles() throws(UsageError) -> Options {
        var headers: [HeaderEdit] = []
        var names: [String] = []
        for edit in self.headers {
            guard case .file(let file) = edit else {
                headers.append(edit)
                continue
            }
            let read = try Self.edits(in: file)
            headers += read
            names += read.map(\.name)
        }
        guard headers != self.headers else { return self }
        var options = self
        options.headers = headers
        // Lines may be in a file because they are secret.
        options.transport.secretHeaders += names
        for name in names { Redaction.declare(secretHeader: name) }
        return options
    }

    private static func edits(in file: InputPath) throws(UsageError) -> [HeaderEdit] {
        let path = file.path ?? "-"
        guard let text = String(validating: try file.bytes(limit: headerLimit), as: UTF8.self)
        else { throw .file(path: path, "is not UTF-8") }
        var edits: [HeaderEdit] = []
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !line.isEmpty else { continue }
            let value = FlagValue(
                flag: "-H @\(path): line \(number + 1)",
                text: String(Substring(line))
            )
            edits.append(try HeaderEdit(line: value, mayHaveVariables: false))
        }
        return edits
    }
}
