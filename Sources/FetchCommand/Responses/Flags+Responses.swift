extension Flags {
    /// What is made of responses, and which are not wanted.
    static let responses: [Flag] = [
        Flag(
            ["--auto"],
            excludes: [
                .init("--continue", because: "only a file can be continued")
            ],
            background: .makesFiles,
            section: .task,
            help: "choose between a file and standard output by the response",
            details: """
                Where standard output is no terminal the body goes there. At a terminal, text goes \
                there that is no longer than 1 MiB, or of unknown length, and everything else is \
                saved under the URL's own name, unpacked as it would be at the terminal. Text are the types `text/*`, \
                JSON, XML, JavaScript and YAML; a response without a type is none.
                """
        ) { $0.decidesByResponse = true },
        Flag(
            ["--range", "-r"],
            value: "RANGE",
            excludes: [
                .init("--continue", because: "what is continued is the whole")
            ],
            section: .request,
            help: "fetch only these bytes: 0-499, 500- or, for the last 500, -500",
            details: """
                Where the server sends something else, such as the whole, nothing is written, and \
                the exit status is 7. A part is not continued when its connection is lost; it \
                begins again.
                """
        ) { options, value throws(UsageError) in
            options.responses.range = try ByteRange(value)
        },
        Flag(
            ["--accept-type"],
            value: "GLOB",
            repeats: true,
            background: .makesFiles,
            section: .task,
            help: "refuse bodies whose media type does not match GLOB, such as image/*",
            details: """
                Several may be given, also separated by commas; parameters such as the charset do \
                not count, and neither does the case. A response without a Content-Type is \
                `application/octet-stream`. What is refused is not read, no file is touched, and \
                the exit status is 11.
                """
        ) { options, value throws(UsageError) in
            let text = try value.nonEmpty("a media type")
            for item in text.split(separator: ",", omittingEmptySubsequences: false) {
                options.responses.acceptedTypes.append(try MediaTypePattern(item, of: value))
            }
        },
        Flag(
            ["--max-filesize"],
            value: "SIZE",
            kind: .byteSize,
            section: .task,
            help: "refuse bodies larger than SIZE",
            details: """
                Units are k, M, G and T, in powers of 1024; 0 is no limit. Where the length is known \
                nothing is read and no file touched; else it ends as soon as more has come: a file \
                is removed, and standard output has got SIZE bytes at the most. A body that is \
                decoded counts both as it comes and as it is written. The exit status is 11.
                """
        ) { options, value throws(UsageError) in
            options.responses.maxFileSize = try value.byteSize()
        },
        Flag(
            ["--accept-status"],
            value: "LIST",
            repeats: true,
            background: .failsOnErrors,
            section: .messages,
            help: "treat these statuses as success, such as 404,410-412",
            details: """
                Their bodies are delivered as any other, and the exit status is 0. A server that \
                asks for credentials by 401 or 407 is answered first.
                """
        ) { options, value throws(UsageError) in
            try options.responses.acceptedStatuses.add(value)
        },
        Flag(
            ["--error-body"],
            value: "FILE",
            kind: .file,
            background: .makesFiles,
            section: .messages,
            help: "save the body as FILE when the status is 400 or above",
            details: """
                FILE is replaced when that body is whole; a device or a pipe is written to. It is \
                not touched by other responses. The exit status stays what it is.
                """
        ) { options, value throws(UsageError) in
            options.errorBody = try value.path()
        },
    ]
}

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

    /// What is made of responses is said once.
    static func checkResponses(_ options: Options) throws(UsageError) {
        if options.decidesByResponse {
            if options.output != nil {
                throw .conflict("--auto", "--output", reason: "each says where the body goes")
            }
            if options.head || options.method == .head {
                throw .conflict("--auto", "--head", reason: "there is no body")
            }
        }
        if options.responses.includesHead {
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
        guard options.responses.range != nil else { return }
        if let flag = bodyFlags(options).first {
            throw .conflict("--range", flag, reason: "parts are of what a GET fetches")
        }
    }
}
