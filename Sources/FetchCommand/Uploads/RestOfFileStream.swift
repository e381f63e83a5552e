import FoundationEssentials
import URLLoading

/// A file's content from a byte on, as a body.
final class RestOfFileStream: HTTPBodyStream {
    private let file: FileBodyStream
    private let offset: Int64
    let contentLength: Int64?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - offset: its first byte that is read.
    ///   - size: what it had when that was announced, bytes.
    /// - Throws: what opening it does; `cannotOpenFile` where it has another size by now.
    init(_ path: String, from offset: Int64, size: Int64) throws(URLError) {
        file = try FileBodyStream(URL(filePath: AbsolutePath.of(path)))
        self.offset = offset
        contentLength = size - offset
        guard file.contentLength == size, file.seek(to: offset) else {
            throw URLError(.cannotOpenFile, detail: "\(path) has not \(size) bytes any more")
        }
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try file.read(into: space)
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= contentLength ?? 0 else { return false }
        return file.seek(to: self.offset + offset)
    }
}
