public import Foundation
public import URLLoading

// Unchecked: only `read` uses the stream, and only the session's transfer thread calls `read`.
/// A Foundation stream as a request's body: `request.httpBodyStream = InputStreamBody(stream)`.
///
/// Reads block the session's transfer thread, so the stream should be one of bytes in memory or of
/// a file.
public final class InputStreamBody: HTTPBodyStream, @unchecked Sendable {
    private let stream: InputStream
    private var isOpen = false
    /// The length of the whole body in bytes; `nil` if unknown before its end.
    public let contentLength: Int64?

    /// Takes a stream, which the caller must not use any more.
    ///
    /// - Parameters:
    ///   - stream: must not be open; it is closed at its end.
    ///   - contentLength: the body's length in bytes; `nil`: unknown.
    public init(_ stream: sending InputStream, contentLength: Int64? = nil) {
        self.stream = stream
        self.contentLength = contentLength
    }

    /// Reads the next bytes; throws `cannotOpenFile` if the stream cannot be read.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLLoading.URLError) -> HTTPBodyStreamRead {
        guard let start = space.baseAddress else { return .end }
        if !isOpen {
            stream.open()
            isOpen = true
        }
        let count = stream.read(start.assumingMemoryBound(to: UInt8.self), maxLength: space.count)
        if count <= 0 { stream.close() }
        switch count {
        case 1...: return .bytes(count)
        case 0: return .end
        default:
            throw URLLoading.URLError(.cannotOpenFile, detail: "the body stream cannot be read")
        }
    }
}
