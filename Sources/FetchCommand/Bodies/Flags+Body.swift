extension Flags {
    /// What is sent.
    static let body: [Flag] = [
        Flag(
            ["--data", "-d", "--data-ascii"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            reads: .init { $0.data.map(\.source.path) },
            section: .task,
            help: "send DATA by POST; @FILE sends a file, @- standard input",
            details: """
                It goes as application/x-www-form-urlencoded unless --header says otherwise. Several \
                are joined by &. CR, LF and NUL of a file or of standard input are left out. Standard \
                input is sent as a stream, and stands alone.
                """
        ) { options, value throws(UsageError) in
            options.data.append(try DataPiece(value, stripsLineEnds: true))
        },
        Flag(
            ["--data-binary"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            section: .task,
            help: "send DATA like --data, but leave files unchanged",
            details: "A file that is the whole body is read while it is sent."
        ) { options, value throws(UsageError) in
            options.data.append(try DataPiece(value, stripsLineEnds: false))
        },
        Flag(
            ["--data-raw", "--post-data", "--body-data"],
            value: "DATA",
            repeats: true,
            background: .sendsFilesOnly,
            section: .task,
            help: "send DATA like --data, but @ has no meaning"
        ) { options, value throws(UsageError) in
            options.data.append(DataPiece(text: value.text))
        },
        Flag(
            ["--data-urlencode"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            section: .task,
            help: "send DATA like --data, percent-encoded; NAME=DATA encodes what follows the =",
            details: """
                @FILE and NAME@FILE encode what FILE has; =DATA encodes all that follows.
                """
        ) { options, value throws(UsageError) in
            options.data.append(try DataPiece(encoding: value))
        },
        Flag(
            ["--json"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            reads: .init { $0.json.map(\.source.path) },
            section: .task,
            help: "send DATA by POST as JSON, and accept JSON; also @FILE or @-",
            details: """
                Sets Content-Type and Accept to application/json unless --header says otherwise. \
                Several are joined with nothing between them.
                """
        ) { options, value throws(UsageError) in
            options.json.append(try DataPiece(value, stripsLineEnds: false))
        },
        Flag(
            ["--form", "-F"],
            value: "NAME=VALUE",
            kind: .formField,
            repeats: true,
            background: .sendsFilesOnly,
            reads: .init { $0.form.map(\.source.path) },
            section: .task,
            help: "send a form field; @FILE attaches a file, <FILE reads the value",
            details: """
                The form goes by POST as multipart/form-data. ;type=TYPE and ;filename=NAME may \
                follow the value; double quotes keep a value with ; or , together. Several files, \
                separated by commas, become several parts of the same name. Files are read while \
                they are sent.
                """
        ) { options, value throws(UsageError) in
            options.form += try FormFieldParser.fields(value)
        },
        Flag(
            ["--form-string"],
            value: "NAME=VALUE",
            repeats: true,
            background: .sendsFilesOnly,
            section: .task,
            help: "send a form field like --form, with VALUE as it is",
            details: "No @, <, ; or quote in VALUE has a meaning."
        ) { options, value throws(UsageError) in
            options.form.append(try FormField(literal: value))
        },
        Flag(
            ["--upload-file", "--body-file"],
            value: "FILE",
            kind: .file,
            reads: .init { [$0.upload?.path(as: .put)] },
            section: .task,
            help: "send FILE by PUT; - is standard input",
            details: """
                The name of FILE is appended to a URL that ends in /. A file has its length as \
                Content-Length, and so has standard input that is a file; a pipe is sent as it comes, \
                in chunks, unless --content-length says how long it is.
                """
        ) { options, value throws(UsageError) in
            options.upload = FileUpload(kind: .put, source: try InputSource(path: value))
        },
        Flag(
            ["--content-length"],
            value: "SIZE",
            kind: .byteSize,
            background: .sendsFilesOnly,
            section: .task,
            help:
                "send standard input or a FIFO with SIZE as its Content-Length",
            details: """
                For servers that want the length beforehand, and for a progress bar with an end. \
                Units are k, M, G and T, in powers of 1024. The last byte leaves when the input has \
                ended; where it has more bytes or fewer the exit status is 3, and the server has not \
                got the whole.
                """
        ) { options, value throws(UsageError) in
            guard let length = try value.byteSize(zero: "0 is refused") else {
                throw .invalidValue(
                    flag: "--content-length",
                    value: nil,
                    reason: "an empty body is not read from anything",
                    hint: "-d '' sends one"
                )
            }
            options.contentLength = length
        },
        Flag(
            ["--upload-offset"],
            value: "BYTES",
            kind: .number,
            background: .asksForURLs,
            section: .task,
            help:
                "skip the first BYTES of the --upload-file, which the server already has",
            details: """
                Content-Range says which bytes come, and of how many. A server that does not know that \
                takes them for the whole, or refuses. curl's -C OFFSET means this beside --upload-file.
                """
        ) { options, value throws(UsageError) in
            options.uploadOffset = Int64(try value.integer(in: 0...Int(Int64.max - 1)))
        },
        Flag(
            ["--post-file"],
            value: "FILE",
            kind: .file,
            reads: .init { [$0.upload?.path(as: .post)] },
            section: .task,
            help: "send FILE by POST; - is standard input",
            details: "It goes as application/x-www-form-urlencoded unless --header says otherwise."
        ) { options, value throws(UsageError) in
            options.upload = FileUpload(kind: .post, source: try InputSource(path: value))
        },
    ]
}
