import FoundationEssentials
import URLLoading

/// The open outputs of a run's reports.
struct Reports: Sendable {
    let writeOut: WriteOut?
    let har: HARFile?
    let entityTag: Destination?
    let heads: HeadDump?

    /// Opens the outputs; throws the errors of opening a file.
    init(_ plan: ReportPlan, _ printer: Printer) throws(URLError) {
        writeOut = plan.writeOut.map { WriteOut(format: $0, printer: printer) }
        entityTag = plan.entityTag
        // The file itself is created only when the body is complete.
        if case .file(let file)? = entityTag { try file.checkFolder() }
        heads = try plan.heads.map { output throws(URLError) in try HeadDump(output) }
        har = try plan.har.map { destination throws(URLError) in try HARFile(destination) }
    }

    /// The files of reports, which no download may replace.
    static func places(_ plan: Plan) -> [FilePlace] {
        SideOutput.all(nil, plan.reports, plan.session)
            .filter { !$0.mayMixWithBodies }.compactMap(\.place)
    }

    /// Whether the end of every task must be reported, even after a signal.
    var wantsEveryEnd: Bool { har != nil }
}

/// The output of `--dump-header`, which gets the heads of responses as they arrive.
struct HeadDump: Sendable {
    private let output: OutputDescriptor
    private let isStandardOutput: Bool

    /// Throws `cannotOpenFile`.
    init(_ name: OutputName) throws(URLError) {
        isStandardOutput = name == .standardOutput
        switch name {
        case .standardOutput: output = .standardOutput
        case .path(let path): output = try OutputDescriptor(creating: path)
        }
    }

    /// Whether `count` bytes can be written without waiting for a reader.
    func takes(_ count: Int) -> Bool { output.takes(count) }

    /// Throws `OutputClosed` if the reader of standard output has closed it, else `URLError`.
    func write(_ bytes: Data) throws {
        do {
            try writeAll(bytes)
        } catch is OutputClosed where !isStandardOutput {
            throw output.closedError
        }
    }

    private func writeAll(_ bytes: Data) throws {
        guard output.isTerminal else {
            return try bytes.withUnsafeBytes { try output.write($0) }
        }
        // A terminal gets the server's text without control characters.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let shown = lines.map { line in
            Printable.text(
                String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            )
        }
        try Array(shown.joined(separator: "\r\n").utf8).withUnsafeBytes { try output.write($0) }
    }
}
