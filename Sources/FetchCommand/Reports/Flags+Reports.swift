import FoundationEssentials
import SystemPackage
import URLLoading

struct Reports: Sendable {
    let writeOut: WriteOut?
    let har: HARFile?
    let entityTag: Destination?
    let heads: HeadDump?

    init(_ plan: ReportPlan, _ printer: Printer) throws(URLError) {
        writeOut = plan.writeOut.map { WriteOut(format: $0, printer: printer) }
        entityTag = plan.entityTag
        // The file itself is created only when the body is complete.
        if case .file(let file)? = entityTag { try file.checkFolder() }
        heads = try plan.heads.map(HeadDump.init)
        har = try plan.har.map(HARFile.init)
    }

    /// The files of reports, which no download may replace.
    static func places(_ plan: Plan) -> [FilePlace] {
        SideOutput.all(nil, plan.reports, plan.session)
            .filter { !$0.mayMixWithBodies }.compactMap(\.place)
    }
}

/// The output of `--dump-header`, which gets the heads of responses as they arrive.
struct HeadDump: Sendable {
    let output: OutputDescriptor
    private let isStandardOutput: Bool

    /// Throws `cannotOpenFile`.
    init(_ name: OutputName) throws(URLError) {
        isStandardOutput = name == .standardOutput
        switch name {
        case .standardOutput: output = .standardOutput
        case .path(let path): output = try OutputDescriptor(creating: path)
        }
    }

    /// Throws `OutputClosed` if the reader of standard output has closed it, else `URLError`.
    func write(_ bytes: Data) throws {
        do {
            try writeAll(bytes)
        } catch is OutputClosed where !isStandardOutput {
            throw output.closedError
        }
    }

    private func writeAll(_ bytes: Data) throws {
        guard output.isTerminal else { return try bytes.withUnsafeBytes { try output.write($0) } }
        // A terminal gets the server's text without control characters.
        let shown = HeadText.lines(of: bytes).map(Printable.text).joined(separator: "\r\n")
        try Array(shown.utf8).withUnsafeBytes { try output.write($0) }
    }
}

/// The plan for outputs other than bodies and messages.
struct ReportPlan: Equatable, Sendable {
    let writeOut: WriteOutFormat?
    let har: Destination?
    /// The output for the heads of responses: standard output, or a path.
    let heads: OutputName?
    let entityTag: Destination?

    var needsMetrics: Bool { writeOut != nil || har != nil }

    var usesStandardOutput: Bool {
        writeOut?.usesStandardOutput == true || heads == .standardOutput
    }

    /// Whether the heads are needed byte for byte.
    var needsHeads: Bool { heads != nil || har != nil }

    init(_ options: Options) throws(UsageError) {
        writeOut = try options.writeOut.map(Self.format)
        har = try options.har.map { path throws(UsageError) in try Destination.named(.path(path)) }
        entityTag = try options.entityTagOutput.map { output throws(UsageError) in
            try Destination.named(output)
        }
        if entityTag == .standardOutput {
            throw .invalidValue(
                flag: "--etag-save",
                reason: "a tag cannot be kept on standard output",
                hint: "--write-out '%header{etag}' prints it"
            )
        }
        switch options.dumpHeader {
        case .path(let path)? where Self.standardOutputs.contains(path): heads = .standardOutput
        case .path(let path)? where FileFacts.isFolder(path):
            throw .file(path: path, "is a directory")
        case let output: heads = output
        }
    }

    /// Bytes; a device may have no end.
    private static let formatLimit = 1 << 20
    private static let standardOutputs = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    private static func format(_ source: InputSource) throws(UsageError) -> WriteOutFormat {
        let flag = "--write-out"
        let bytes =
            switch source {
            case .text(let text): Array(text.utf8)
            // As curl does here too, line ends are removed.
            case .read(let file): try file.bytes(limit: formatLimit).filter(isKept)
            }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalidValue(flag: flag, reason: "the format is not UTF-8")
        }
        return try WriteOutFormat(FlagValue(flag: flag, text: text))
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n")
    }
}

extension Flags {
    static let reports: [Flag] = [
        Flag(
            ["--write-out", "-w"],
            value: "FORMAT",
            kind: .data,
            background: .reportsLater,
            reads: .init { [$0.writeOut?.path] },
            help: "print FORMAT after each task, as in '%{http_code} %{time_total}\\n'",
            details: """
                FORMAT is curl's; @FILE and @- read it. It is printed on standard output \
                behind the body. As in curl, -w with `%{redirect_url}` follows redirects only \
                with -L, and so does -w with `%{http_code}` beside -o /dev/null. `%{NAME}` is one of: `certs`, `content_type`, `errormsg`, \
                `exitcode`, `filename_effective`, `ftp_entry_path`, `http_code`, \
                `http_connect`, `http_version`, `local_ip`, `local_port`, `method`, \
                `num_certs`, `num_connects`, `num_headers`, `num_redirects`, \
                `proxy_ssl_verify_result`, `redirect_url`, `referer`, `remote_ip`, \
                `remote_port`, `response_code`, `scheme`, `size_download`, `size_header`, \
                `size_request`, `size_upload`, `speed_download`, `speed_upload`, \
                `ssl_verify_result`, `time_appconnect`, `time_connect`, `time_namelookup`, \
                `time_pretransfer`, `time_redirect`, `time_starttransfer`, `time_total`, \
                `url`, `url_effective`, `urlnum`. Times are seconds from the start, those of \
                all requests that a task made; sizes are bytes, a speed bytes a second. \
                `%header{NAME}` is a field of the last response, `%{json}` an object of all \
                variables, `%{header_json}` one of all fields, with credentials as (redacted). \
                What follows `%{stderr}`, `%{stdout}`, `%output{FILE}` or `%output{>>FILE}` \
                goes there, and what follows `%{onerror}` is printed where the exit status of \
                the task is not 0. `%%` is a percent sign, and `\\n`, `\\r` and `\\t` are what \
                they are in C. `%{exitcode}` is the exit status of fetch, and not curl's; \
                users and passwords in URLs read (redacted). Nothing is printed where a signal \
                ends the run.
                """
        ) { $0.writeOut = try DataPiece($1, stripsLineEnds: true).source },
        Flag(
            ["--har"],
            value: "FILE",
            background: .reportsLater,
            help: "record requests and responses in FILE, in the HAR format",
            details: """
                The format is HAR 1.2, with one entry for each request. Redirects, refused \
                requests and failed ones are included; a failed one has the status 0 and its \
                reason under `_error`. Header fields are those that were sent. Credentials and \
                the values of cookies are shown as (redacted). For bodies, only the size is \
                recorded. FILE is replaced at the end of the run, also after a signal, and only \
                its owner can read it (mode 0600). A device or a FIFO is written to whenever a \
                task ends.
                """
        ) { options, value in
            guard case .path(let path) = try OutputName(value) else {
                throw value.invalid(
                    "is not a file",
                    hint: "/dev/stdout is standard output, and ./- a file of that name"
                )
            }
            options.har = path
        },
        Flag(
            ["--dump-header", "-D"],
            value: "FILE",
            background: .reportsLater,
            help: "write the headers of all responses to FILE as they arrive; - is standard output",
            details: """
                They are written byte for byte, cookies included. Headers of redirects, \
                challenges, interim responses and proxies are included, and so are trailers. \
                FILE is emptied first. To show headers to people, use -S.
                """
        ) { $0.dumpHeader = try OutputName($1) },
    ]
}
