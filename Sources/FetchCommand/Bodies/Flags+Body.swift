extension Flags {
    static let body: [Flag] = [
        Flag(
            ["--data", "-d", "--data-ascii"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            reads: .init { $0.data.map(\.source.path) },
            help: "send DATA by POST; @FILE sends a file, @- standard input",
            details: """
                The media type is application/x-www-form-urlencoded unless --header sets \
                another. Several values are joined with &. CR, LF and NUL are removed from files \
                and standard input. Standard input is sent as a stream, and cannot be combined \
                with other data.
                """
        ) { $0.data.append(try DataPiece($1, stripsLineEnds: true)) },
        Flag(
            ["--data-binary"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            help: "send DATA like --data, but leave files unchanged",
            details: "A file that is the whole body is read while it is sent."
        ) { $0.data.append(try DataPiece($1, stripsLineEnds: false)) },
        Flag(
            ["--data-raw", "--post-data", "--body-data"],
            value: "DATA",
            repeats: true,
            background: .sendsFilesOnly,
            help: "send DATA like --data, but @ has no meaning"
        ) { $0.data.append(DataPiece(text: $1.text)) },
        Flag(
            ["--data-urlencode"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            help: "send DATA like --data, percent-encoded; NAME=DATA encodes what follows the =",
            details: """
                NAME=DATA encodes what follows the =. @FILE and NAME@FILE encode the content of \
                FILE. =DATA encodes everything after the first =.
                """
        ) { $0.data.append(try DataPiece(encoding: $1)) },
        Flag(
            ["--json"],
            value: "DATA",
            kind: .data,
            repeats: true,
            background: .sendsFilesOnly,
            reads: .init { $0.json.map(\.source.path) },
            help: "send DATA by POST as JSON, and accept JSON; also @FILE or @-",
            details: """
                Content-Type and Accept are application/json unless --header sets others. \
                Several values are joined with nothing between them.
                """
        ) { $0.json.append(try DataPiece($1, stripsLineEnds: false)) },
        Flag(
            ["--form", "-F"],
            value: "NAME=VALUE",
            kind: .formField,
            repeats: true,
            background: .sendsFilesOnly,
            reads: .init { $0.form.map(\.source.path) },
            help: "send a form field; @FILE attaches a file, <FILE reads the value",
            details: """
                The form is sent by POST as multipart/form-data. ;type=TYPE and ;filename=NAME \
                may follow the value. Double quotes allow ; and , in a value. Several files, \
                separated by commas, become several parts of the same name. Files are read while \
                they are sent.
                """
        ) { $0.form += try FormFieldParser.fields($1) },
        Flag(
            ["--form-string"],
            value: "NAME=VALUE",
            repeats: true,
            background: .sendsFilesOnly,
            help: "send a form field like --form, with VALUE as it is",
            details: "@, <, ; and quotes have no meaning in VALUE."
        ) { $0.form.append(try FormField(literal: $1)) },
        Flag(
            ["--upload-file"],
            value: "FILE",
            reads: .init { [$0.upload?.path(as: .put)] },
            help: "send FILE by PUT; - is standard input",
            details: """
                The name of FILE is appended to a URL that ends in /. A file is sent with its \
                length as Content-Length, and so is standard input that is a file. A pipe is \
                sent in chunks as it is read, unless --content-length gives its length.
                """
        ) { $0.upload = FileUpload(kind: .put, source: try InputPath($1)) },
        Flag(
            ["--content-length"],
            value: "SIZE",
            background: .sendsFilesOnly,
            help:
                "send standard input or a FIFO with SIZE as its Content-Length",
            details: """
                This is for servers that need the length in advance, and for a progress bar with \
                an end. Units are k, M, G and T, in powers of 1024. The last byte is sent when \
                the input has ended. If the input has more bytes or fewer, the exit status is 3, \
                and the server has not received the whole.
                """
        ) { options, value in
            guard let length = try value.byteSize(zero: "0 is refused") else {
                let hint = "-d '' sends an empty body"
                throw value.invalidSecret("the length must not be 0", hint: hint)
            }
            options.contentLength = length
        },
        Flag(
            ["--upload-offset"],
            value: "BYTES",
            background: .asksForURLs,
            help:
                "skip the first BYTES of the --upload-file, which the server already has",
            details: """
                Content-Range says which bytes are sent, and the length of the whole. A server \
                that does not support this takes them for the whole file, or refuses them. \
                curl's -C OFFSET means this together with --upload-file.
                """
        ) { $0.uploadOffset = Int64(try $1.integer(in: 0...Int(Int64.max - 1))) },
        Flag(
            ["--post-file", "--body-file"],
            value: "FILE",
            reads: .init { [$0.upload?.path(as: .post)] },
            help: "send FILE by POST; - is standard input",
            details: """
                The media type is application/x-www-form-urlencoded unless --header sets \
                another.
                """
        ) { $0.upload = FileUpload(kind: .post, source: try InputPath($1)) },
    ]
}
