extension Conflicts {
    /// What this machine has itself is read, and nothing else.
    static func checkLocal(_ address: WebAddress, _ options: Options) throws(UsageError) {
        let method = options.method.flatMap { $0 == .get ? nil : "--request \($0.name)" }
        let others = [
            "--head", "--range", "--continue", "--timestamping", "--request-target", "--etag-save",
            "--etag-compare",
        ]
        let flag = bodyFlags(options).first ?? method ?? others.first(where: options.given.contains)
        guard let flag else { return }
        throw .conflict(flag, "a \(address.scheme) URL", reason: "it can only be read, as a whole")
    }

    /// What is an error's takes the place of no body that was wanted.
    static func check(_ errorBody: Destination?, against tasks: [TaskPlan]) throws(PlanError) {
        guard case .file(let file)? = errorBody, let place = FilePlace(file.path) else { return }
        for task in tasks {
            guard let other = task.kind.file, FilePlace(other.path) == place else { continue }
            throw .usage(
                .conflict(
                    "--error-body",
                    "a body to \(Printable.text(other.path))",
                    reason: "both name the same file"
                )
            )
        }
    }

    /// What is made of answers is said once.
    static func checkAnswers(_ options: Options) throws(UsageError) {
        if options.decidesByAnswer {
            if options.output != nil {
                throw .conflict("--auto", "--output", reason: "each says where the body goes")
            }
            if options.head || options.method == .head {
                throw .conflict("--auto", "--head", reason: "there is no body")
            }
        }
        if options.includesHead {
            let isNamedByURL = options.outputs.contains(nil) || options.namesAll
            let file: String? = if case .path(let path)? = options.output { path } else { nil }
            if let other = file.map({ "--output \(Printable.text($0))" })
                ?? (isNamedByURL ? "--remote-name" : nil)
            {
                throw .conflict(
                    "--include",
                    other,
                    reason: "a file has the body alone; --dump-header FILE keeps the header"
                )
            }
        }
        guard options.range != nil else { return }
        if let flag = bodyFlags(options).first {
            throw .conflict("--range", flag, reason: "parts are of what a GET fetches")
        }
    }
}
