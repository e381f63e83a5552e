import FoundationEssentials
import URLLoading

/// Where `--dump-header` puts the heads of answers, as they come.
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
        // Nothing of a server's that a terminal would obey.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let shown = lines.map { line in
            Printable.text(
                String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            )
        }
        try Array(shown.joined(separator: "\r\n").utf8).withUnsafeBytes { try output.write($0) }
    }
}
