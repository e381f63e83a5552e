import SystemPackage
import URLLoading

extension Options {
    /// Bytes: more is no file of header lines.
    private static let headerLimit = 1 << 20

    /// The same with the lines of `-H @FILE` in the place of the files.
    ///
    /// An empty line is none; every other is one as `-H` takes it, but as it stands. The values are
    /// shown nowhere.
    ///
    /// Throws where a file cannot be read, or has what is no header line.
    func readingHeaderFiles() throws(PlanError) -> Options {
        var headers: [HeaderEdit] = []
        var names: [String] = []
        for edit in self.headers {
            guard case .file(let path) = edit else {
                headers.append(edit)
                continue
            }
            let read = try Self.edits(inFile: path)
            headers += read
            names += read.map(\.name)
        }
        guard headers != self.headers else { return self }
        var options = self
        options.headers = headers
        // Who keeps a line in a file may want it to be seen nowhere.
        options.transport.secretHeaders += names
        for name in names { Redaction.declare(secretHeader: name) }
        return options
    }

    private static func edits(inFile path: String) throws(PlanError) -> [HeaderEdit] {
        let bytes: [UInt8]
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            bytes = try file.closeAfter { try content(of: file) }
        } catch {
            throw .file(FileFailure(path: path, reason: .system(error as? Errno ?? .ioError)))
        }
        guard bytes.count <= headerLimit, let text = String(validating: bytes, as: UTF8.self) else {
            let flaw = bytes.count > headerLimit ? "is too large for header lines" : "is not UTF-8"
            throw .file(FileFailure(path: path, reason: .flawed(flaw)))
        }
        var edits: [HeaderEdit] = []
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !line.isEmpty else { continue }
            let value = FlagValue(
                flag: "-H @\(path): line \(number + 1)",
                text: String(Substring(line))
            )
            do throws(UsageError) {
                edits.append(try HeaderEdit(line: value, mayHaveVariables: false))
            } catch {
                throw .usage(error)
            }
        }
        return edits
    }

    private static func content(of file: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 10, alignment: 16)
        defer { space.deallocate() }
        while bytes.count <= headerLimit {
            let count = try file.read(into: space)
            guard count > 0 else { break }
            bytes += space[..<count]
        }
        return bytes
    }
}
