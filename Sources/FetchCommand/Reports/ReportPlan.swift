import SystemPackage

/// The plan for outputs other than bodies and messages.
struct ReportPlan: Equatable, Sendable {
    /// The format of the report that is printed after each task.
    let writeOut: WriteOutFormat?
    /// The file for the HAR record of all requests.
    let har: Destination?
    /// The output for the heads of responses: standard output, or a path.
    let heads: OutputName?
    /// The file for the entity tag of the response.
    let entityTag: Destination?

    /// Whether the metrics of tasks are needed.
    var needsMetrics: Bool { writeOut != nil || har != nil }

    /// Whether a report goes to standard output.
    var usesStandardOutput: Bool {
        writeOut?.usesStandardOutput == true || heads == .standardOutput
    }

    /// Whether the heads are needed byte for byte.
    var needsHeads: Bool { heads != nil || har != nil }
}

extension ReportPlan {
    /// Validates the flags, and reads the format from a file or standard input.
    init(_ options: Options) throws(PlanError) {
        writeOut = try options.writeOut.map { source throws(PlanError) in
            try Self.format(source)
        }
        har = try options.har.map { path throws(PlanError) in
            try Destination.named(.path(path), continues: false)
        }
        entityTag = try options.entityTagOutput.map { output throws(PlanError) in
            try Destination.named(output, continues: false)
        }
        if entityTag == .standardOutput {
            throw .usage(
                .invalidValue(
                    flag: "--etag-save",
                    value: nil,
                    reason: "a tag cannot be kept on standard output",
                    hint: "--write-out '%header{etag}' prints it"
                )
            )
        }
        switch options.dumpHeader {
        case .path(let path)? where Self.standardOutputs.contains(path): heads = .standardOutput
        case .path(let path)? where (try? FileFacts(path: path))?.kind == .directory:
            throw .file(FileFailure(path: path, reason: .isDirectory))
        case let output: heads = output
        }
    }

    private static let standardOutputs = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    private static func format(_ source: InputSource) throws(PlanError) -> WriteOutFormat {
        let flag = "--write-out"
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes =
                switch source {
                case .text(let text): Array(text.utf8)
                // As curl does here too, line ends are removed.
                case .read(let file): try file.bytes().filter(isKept)
                }
        } catch {
            throw .file(error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage(
                .invalidValue(flag: flag, value: nil, reason: "the format is not UTF-8", hint: nil)
            )
        }
        return try PlanError.checked { () throws(UsageError) in
            try WriteOutFormat(FlagValue(flag: flag, text: text))
        }
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n")
    }
}
