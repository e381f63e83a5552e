import URLLoading

extension Conflicts {
    /// A message that is not as it usually is, request or response.
    static func checkMessage(_ options: Options) throws(UsageError) {
        if options.transport.maximumStreamsPerDownload > 1 {
            if options.requestTarget != nil {
                throw .conflict(
                    "--request-target",
                    "--split",
                    reason: "a file is gone on with, or compared, by what its URL names"
                )
            }
            if options.contentDecoding == .raw { throw rawConflict("--split") }
        }
        if options.contentDecoding == .raw,
            options.headers.contains(where: { HTTPHeaderFields.areSame($0.name, "Range") })
        {
            throw rawConflict("--header Range")
        }
        guard options.uploadOffset > 0 else { return }
        guard let upload = options.upload, upload.kind == .put else {
            throw .invalidValue(
                flag: "--upload-offset",
                value: nil,
                reason: "there is no file to leave anything out of",
                hint: "--upload-file FILE names it"
            )
        }
        if upload.source == .standardInput {
            throw .conflict(
                "--upload-offset",
                "--upload-file -",
                reason: "the server is told how long the whole is; name a file"
            )
        }
    }

    private static func rawConflict(_ other: String) -> UsageError {
        .conflict(
            "--raw",
            other,
            reason: "the bytes that are compared or counted are those without their chunks"
        )
    }

    /// A tag is of one file, and asked by once.
    static func checkEntityTags(_ options: Options) throws(UsageError) {
        let flags = ["--etag-compare", "--etag-save"].filter(options.given.contains)
        guard let flag = flags.first else { return }
        if options.urls.count > 1 || options.list != nil {
            throw .conflict(flag, "several URLs", reason: "one file holds one tag")
        }
        let name = "If-None-Match"
        if options.entityTagInput != nil,
            options.headers.contains(where: { HTTPHeaderFields.areSame($0.name, name) })
        {
            throw .conflict("--etag-compare", "--header \(name)", reason: "one tag is asked by")
        }
    }
}
