import FoundationEssentials
import URLLoading

/// The open outputs of a run's reports.
struct Reports: Sendable {
    let writeOut: WriteOut?
    let har: HARFile?
    /// Where the entity tag of what was fetched goes.
    let entityTag: Destination?
    private let heads: HeadDump?

    /// Opens the outputs.
    ///
    /// Throws what opening a file does.
    init(_ plan: ReportPlan, _ printer: Printer) throws(URLError) {
        writeOut = plan.writeOut.map { WriteOut(format: $0, printer: printer) }
        entityTag = plan.entityTag
        // The file is created only with its body.
        if case .file(let file)? = entityTag { try file.checkFolder() }
        heads = try plan.heads.map { output throws(URLError) in try HeadDump(output) }
        har = try plan.har.map { destination throws(URLError) in try HARFile(destination) }
    }

    /// The files of reports, whose names no download may use.
    static func places(_ plan: Plan) -> [FilePlace] {
        SideOutput.all(nil, plan.reports, plan.session)
            .filter { !$0.mayMixWithBodies }.compactMap(\.place)
    }

    /// Whether the end of every task is needed, even after a signal.
    var wantsEveryEnd: Bool { har != nil }

    /// Writes heads as they come.
    ///
    /// Throws `OutputClosed` where their reader has gone, a `URLError` where they cannot be written.
    func write(heads bytes: Data) throws {
        try heads?.write(bytes)
    }
}

/// Where `--dump-header` puts the heads of responses, as they come.
struct HeadDump: Sendable {
    private let output: OutputDescriptor

    /// Throws `cannotOpenFile`.
    init(_ name: OutputName) throws(URLError) {
        switch name {
        case .standardOutput: output = .standardOutput
        case .path(let path): output = try OutputDescriptor(creating: path, isPrivate: true)
        }
    }

    /// Throws `OutputClosed` where the reader has gone, a `URLError` where it cannot be written.
    func write(_ bytes: Data) throws {
        guard output.isTerminal else {
            return try bytes.withUnsafeBytes { try output.write($0) }
        }
        // Without control characters of the server's.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let shown = lines.map { line in
            Printable.text(
                String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            )
        }
        try Array(shown.joined(separator: "\r\n").utf8).withUnsafeBytes { try output.write($0) }
    }
}
