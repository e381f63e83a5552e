import URLLoading

extension Conflicts {
    /// Conflicts about unusual requests and responses.
    static func checkMessage(_ options: Options) throws(UsageError) {
        if options.transport.maximumStreamsPerDownload > 1 {
            if options.requestTarget != nil {
                throw .conflict(
                    "--request-target",
                    "--split",
                    reason: "a file is continued or compared by its URL"
                )
            }
            if options.contentDecoding == .raw { throw rawConflict("--split") }
        }
        if options.contentDecoding == .raw, options.header("Range") != nil {
            throw rawConflict("--header Range")
        }
        guard options.uploadOffset > 0 else { return }
        guard let upload = options.upload, upload.kind == .put else {
            throw .unusable(
                flag: "--upload-offset",
                reason: "this flag requires --upload-file",
                hint: "add --upload-file FILE"
            )
        }
        if upload.source == .standardInput {
            throw .conflict(
                "--upload-offset",
                "--upload-file -",
                reason: "the server must know the whole length; use a file"
            )
        }
    }

    private static func rawConflict(_ other: String) -> UsageError {
        .conflict(
            "--raw",
            other,
            reason: "bodies are compared and counted without their chunk headers"
        )
    }

    /// Throws unless an entity tag belongs to one file and one condition.
    static func checkEntityTags(_ options: Options) throws(UsageError) {
        let flags = ["--etag-compare", "--etag-save"].filter(options.given.contains)
        guard let flag = flags.first else { return }
        if options.hasMany {
            throw .conflict(flag, "several URLs", reason: "one file can hold only one tag")
        }
        let name = "If-None-Match"
        if options.entityTagInput != nil, options.header(name) != nil {
            throw .conflict(
                "--etag-compare",
                "--header \(name)",
                reason: "only one tag can be sent"
            )
        }
    }
}

extension Conflicts {
    /// Throws unless the task is a plain GET of a whole file, which alone can be compared.
    static func checkTimestamping(_ options: Options) throws(UsageError) {
        guard options.timestamping else { return }
        if options.outputs.contains(.standardOutput) {
            throw .conflict("--timestamping", "--output -", reason: "only a file can be compared")
        }
        let part = options.responses.range != nil ? "--range" : nil
        let choice = options.decidesByResponse ? "--auto" : nil
        guard
            let flag = otherThanGet(options) ?? part ?? choice
                ?? ownCondition(options).map({ "--header \($0)" })
        else { return }
        throw .conflict(
            "--timestamping",
            flag,
            reason: "only a file that a plain GET fetches can be compared"
        )
    }

    /// Throws unless the task is a plain GET, whose body alone can be continued.
    static func checkContinuing(_ options: Options) throws(UsageError) {
        guard options.continues else { return }
        let condition = ownCondition(options).map { "--header \($0)" }
        guard let flag = otherThanGet(options) ?? condition else { return }
        throw .conflict(
            "--continue",
            flag,
            reason: "only a file that a plain GET fetches can be continued"
        )
    }

    /// The flag of a body or of a method that makes the request another than a GET; `nil`: none.
    static func otherThanGet(_ options: Options, namesMethod: Bool = false) -> String? {
        bodyFlags(options).first ?? (options.head ? "--head" : nil)
            ?? options.otherMethod.map { namesMethod ? "--request \($0)" : "--request" }
    }

    /// The name of the first `--header` field that is a range or a condition.
    private static func ownCondition(_ options: Options) -> String? {
        let names = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        return options.headers.lazy.map(\.name).first { name in
            names.contains { HTTPHeaderFields.areSame($0, name) }
        }
    }
}
