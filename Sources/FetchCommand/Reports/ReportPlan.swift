import SystemPackage

/// The plan for outputs other than bodies and messages.
struct ReportPlan: Equatable, Sendable {
    let writeOut: WriteOutFormat?
    /// The file for the HAR record of all requests.
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
}

extension ReportPlan {
    /// Validates the flags, and reads the format from a file or standard input.
    init(_ options: Options) throws(UsageError) {
        writeOut = try options.writeOut.map { source throws(UsageError) in
            try Self.format(source)
        }
        har = try options.har.map { path throws(UsageError) in
            try Destination.named(.path(path), continues: false)
        }
        entityTag = try options.entityTagOutput.map { output throws(UsageError) in
            try Destination.named(output, continues: false)
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
        case .path(let path)? where (try? FileFacts(path: path))?.kind == .directory:
            throw .file(path: path, .isDirectory)
        case let output: heads = output
        }
    }

    private static let standardOutputs = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    private static func format(_ source: InputSource) throws(UsageError) -> WriteOutFormat {
        let flag = "--write-out"
        let bytes =
            switch source {
            case .text(let text): Array(text.utf8)
            // As curl does here too, line ends are removed.
            case .read(let file): try file.bytes().filter(isKept)
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
