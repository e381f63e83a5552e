import URLLoading

/// Prints what `--write-out` asks for, once for each task.
struct WriteOut: Sendable {
    let format: WriteOutFormat
    let printer: Printer

    /// Prints a task's report.
    ///
    /// Throws `OutputClosed` where the reader of standard output has gone, a `URLError` where a file
    /// cannot be written.
    func print(_ report: TransferReport) throws {
        for (output, text) in texts(report) where !text.isEmpty || output.isFile {
            let bytes = Array(text.utf8)
            switch output {
            case .standardOutput:
                try bytes.withUnsafeBytes { try OutputDescriptor.standardOutput.write($0) }
            case .standardError: printer.verbatim(text)
            case .file(let path, let appends):
                let file = try OutputDescriptor(
                    creating: path,
                    empties: !appends,
                    isPrivate: true
                )
                defer { file.close() }
                try bytes.withUnsafeBytes { try file.write($0) }
            }
        }
    }

    /// What goes where, in order.
    func texts(
        _ report: TransferReport
    ) -> [(output: WriteOutFormat.Output, text: String)] {
        var texts: [(output: WriteOutFormat.Output, text: String)] = [(.standardOutput, "")]
        for piece in format.pieces {
            let text: String
            switch piece {
            case .onError where report.exitCode == 0: return texts
            case .onError: continue
            case .output(let output):
                texts.append((output, ""))
                continue
            case .text(let own): text = own
            case .variable(.certs): text = report.value(.certs).text
            // What a terminal would obey has no place in any of the others.
            case .variable(let variable): text = Printable.text(report.value(variable).text)
            case .header(let name): text = Printable.text(report.header(name))
            case .json: text = Self.json(report.json)
            case .headerJSON: text = Self.json(report.headerJSON)
            }
            texts[texts.count - 1].text += text
        }
        return texts
    }

    private static func json(_ value: EventValue) -> String {
        var json = JSONText()
        json.append(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension WriteOutFormat.Output {
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }
}
