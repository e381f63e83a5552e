import Dispatch
import URLLoading

/// Prints the reports of `--write-out`, one after another.
///
/// The main thread also performs the transfers, so it never blocks on a reader. Only the task whose
/// report is written waits for a slow reader, and tasks with later reports wait for their turn.
@MainLoop
final class WriteOut {
    nonisolated let format: WriteOutFormat
    private let printer: Printer
    private lazy var standardOutput = PromptOutput(.standardOutput)
    /// Writes files, which may be FIFOs without a reader.
    private let queue = DispatchQueue(label: "fetch.reports")
    private var isBusy = false
    private var waiting: [Waiter] = []

    nonisolated init(format: WriteOutFormat, printer: Printer) {
        self.format = format
        self.printer = printer
    }

    /// Prints a task's report after those that are being printed.
    ///
    /// Throws `TaskOutcome.interrupted` after a signal, `OutputClosed` if the reader of standard
    /// output has closed it, and `URLError` if a file cannot be written.
    func print(_ report: TransferReport, _ waiter: Waiter) async throws {
        while isBusy {
            waiting.append(waiter)
            defer { waiting.removeAll { $0 === waiter } }
            try await wait(waiter) { !isBusy }
        }
        isBusy = true
        defer {
            isBusy = false
            for waiter in waiting { waiter.ring() }
        }
        for (place, text) in texts(report) where !text.isEmpty || place.isFile {
            let bytes = Array(text.utf8)
            switch place {
            case .standardOutput: try await write(bytes, waiter)
            case .standardError: printer.verbatim(text)
            case .file(let path, let appends):
                try await write(bytes, to: path, appends: appends, waiter)
            }
        }
    }

    /// The texts of a report with their outputs, in order.
    nonisolated func texts(
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
            // All values but this one, which has lines, are printed without control characters.
            case .variable(let variable) where variable.name == "certs": text = report.certificates
            case .variable(let variable): text = Printable.text(report.text(variable))
            case .header(let name): text = Printable.text(report.header(name))
            case .json: text = report.json.jsonText
            case .headerJSON: text = report.headerJSON.jsonText
            }
            texts[texts.count - 1].text += text
        }
        return texts
    }

    private func write(_ bytes: [UInt8], _ waiter: Waiter) async throws {
        var rest = bytes[...]
        while true {
            rest = rest.dropFirst(try rest.withUnsafeBytes { try standardOutput.write($0) })
            guard !rest.isEmpty else { return }
            let isWritable = AsyncResult<Void>()
            MainLoop.shared.executor.whenWritable(standardOutput.descriptor) {
                [standardOutput] in
                // The descriptor must stay open until the callback.
                withExtendedLifetime(standardOutput) { isWritable.set(()) }
                waiter.ring()
            }
            try await wait(waiter) { isWritable.value != nil }
        }
    }

    /// Writes to a file, which is created if missing; waits for a FIFO's reader.
    private func write(
        _ bytes: [UInt8],
        to path: String,
        appends: Bool,
        _ waiter: Waiter
    ) async throws {
        let written = AsyncResult<Result<Void, any Error>>()
        queue.async {
            written.set(
                Result {
                    let file = try OutputDescriptor(creating: path, empties: !appends)
                    defer { file.close() }
                    try bytes.withUnsafeBytes { try file.write($0) }
                }
            )
            waiter.ring()
        }
        try await wait(waiter) { written.value != nil }
        try written.value?.get()
    }

    /// Waits until a condition holds or a signal arrives; the failure of another task is ignored.
    private func wait(_ waiter: Waiter, for condition: () -> Bool) async throws(TaskOutcome) {
        while case .interruption(let why) = await waiter.wait(until: nil, for: condition) {
            if case .signal = why { throw .interrupted(why) }
        }
    }
}

extension WriteOutFormat.Output {
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }
}

/// A parsed format of `--write-out`.
struct WriteOutFormat: Equatable, Sendable {
    enum Piece: Equatable, Sendable {
        case text(String)
        case variable(WriteOutVariable)
        /// The first field of this name in the last response.
        case header(String)
        case json
        case headerJSON
        /// The following pieces are printed only for failed tasks.
        case onError
        /// The following pieces are printed to this output.
        case output(Output)
    }

    enum Output: Equatable, Sendable {
        case standardOutput
        case standardError
        case file(String, appends: Bool)
    }

    private(set) var pieces: [Piece] = []

    /// Parses a format by curl's rules: `%{name}`, `%header{name}`, `%output{file}`, `%%`, and
    /// `\n`, `\r`, `\t`; other text is literal.
    ///
    /// Throws if a variable does not exist.
    init(_ value: FlagValue) throws(UsageError) {
        var rest = value.text[...]
        var text = ""
        while let character = rest.popFirst() {
            if character == "\\" {
                text += Self.escaped(rest.popFirst())
            } else if character != "%" {
                text.append(character)
            } else if rest.first == "%" {
                rest.removeFirst()
                text += "%"
            } else if let (name, inside) = Self.braced(&rest) {
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(try Self.piece(name, inside, value))
            } else {
                text += "%"
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
    }

    private static func escaped(_ character: Character?) -> String {
        switch character {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case let character?: "\\\(character)"
        case nil: "\\"
        }
    }

    /// Parses `{inside}`, `header{inside}` or `output{inside}`; `nil` for other texts.
    private static func braced(_ text: inout Substring) -> (name: String, inside: String)? {
        for name in ["", "header", "output"] where text.hasPrefix(name + "{") {
            let inside = text.dropFirst(name.count + 1)
            guard let end = inside.firstIndex(of: "}") else { return nil }
            text = inside[inside.index(after: end)...]
            return (name, String(inside[..<end]))
        }
        return nil
    }

    private static func piece(
        _ name: String,
        _ inside: String,
        _ value: FlagValue
    ) throws(UsageError) -> Piece {
        switch (name, inside) {
        case ("header", _): return .header(inside)
        case ("output", _):
            let appends = inside.hasPrefix(">>")
            let path = appends ? String(inside.dropFirst(2)) : inside
            return .output(.file(try value.with(path).path(), appends: appends))
        case (_, "json"): return .json
        case (_, "header_json"): return .headerJSON
        case (_, "onerror"): return .onError
        case (_, "stdout"): return .output(.standardOutput)
        case (_, "stderr"): return .output(.standardError)
        default: break
        }
        if let variable = WriteOutVariable.named(inside) { return .variable(variable) }
        let sought = Array(inside.utf8)
        let near = WriteOutVariable.all.map(\.name).min {
            EditDistance.between(Array($0.utf8), sought)
                < EditDistance.between(Array($1.utf8), sought)
        }
        throw UsageError.invalidValue(
            flag: value.flag,
            value: "%{\(inside)}",
            reason: "is not a variable",
            hint: near.map {
                "did you mean %{\($0)}? The man page lists them; %% is a percent sign"
            }
        )
    }

    var files: [String] {
        pieces.compactMap { piece in
            if case .output(.file(let path, _)) = piece { path } else { nil }
        }
    }

    var usesStandardOutput: Bool {
        var isThere = true
        for piece in pieces {
            switch piece {
            case .output(let output): isThere = output == .standardOutput
            case .onError: break
            case .text, .variable, .header, .json, .headerJSON: if isThere { return true }
            }
        }
        return false
    }
}
