/// The lines of a request's header: the defaults, as the user changed them.
struct RequestHeader: Equatable {
    /// Defaults first, then the user's lines in their order.
    let fields: [HeaderField]
    /// Names that must not be sent.
    let removed: [String]

    /// A line of `-H` replaces the default of its name; of a name that was first removed and then
    /// set, or the other way round, the last word counts.
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
            // Its lines have taken its place.
            case .file: break
            }
        }
        var fields: [HeaderField] = []
        for field in Self.defaults(options, body: body, entityTag: entityTag) {
            let isReplaced =
                own.contains { $0.isNamed(field.name) } || removed.contains(where: field.isNamed)
            guard !isReplaced else { continue }
            if field.value.isEmpty {
                removed.append(field.name)  // -U '' and --referer ''
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
        self.fields = fields + own
        self.removed = removed
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
        if let condition = options.timeCondition { fields.append(condition.field) }
        if let entityTag { fields.append(HeaderField("If-None-Match", entityTag)) }
        if case .rest(_, let offset, let size) = body {
            fields.append(HeaderField("Content-Range", "bytes \(offset)-\(size - 1)/\(size)"))
        }
        if let range = options.range { fields.append(HeaderField("Range", range.field)) }
        if options.refusesCaches {
            fields.append(HeaderField("Cache-Control", "no-cache"))
            fields.append(HeaderField("Pragma", "no-cache"))
        }
        if let type = contentType(options, body: body) {
            fields.append(HeaderField("Content-Type", type))
        }
        return fields
    }

    /// What curl says of the body, and wget of `--post-file`; nothing of `--upload-file`.
    private static func contentType(_ options: Options, body: BodyPlan) -> String? {
        if case .form(let form) = body { return form.contentType }
        if !options.json.isEmpty { return "application/json" }
        return !options.data.isEmpty || options.upload?.kind == .post
            ? "application/x-www-form-urlencoded" : nil
    }
}
