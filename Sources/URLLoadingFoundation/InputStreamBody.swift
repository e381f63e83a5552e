public import Foundation
public import URLLoading

// Unchecked: the stream is used by `read` alone, which the session's transfer thread calls.
/// A Foundation stream as a request's body: `request.httpBodyStream = InputStreamBody(stream)`.
///
/// The stream is read on the session's transfer thread, which waits for it: it should be one of bytes in memory
/// or of a file.
public final class InputStreamBody: HTTPBodyStream, @unchecked Sendable {
    private let stream: InputStream
    private var isOpen = false
    /// The length of the whole body, bytes; `nil` where it is known only at its end.
    public let contentLength: Int64?

    /// Takes a stream, which must not be used otherwise from now on.
    ///
    /// - Parameters:
    ///   - stream: not opened; it is closed at its end.
    ///   - contentLength: the length of the body, where it is known.
    public init(_ stream: sending InputStream, contentLength: Int64? = nil) {
        self.stream = stream
        self.contentLength = contentLength
    }

    /// Reads on.
    ///
    /// Throws `cannotOpenFile` where the stream cannot be read.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLLoading.URLError) -> HTTPBodyStreamRead {
        guard let start = space.baseAddress else { return .end }
        if !isOpen {
            stream.open()
            isOpen = true
        }
        let count = stream.read(
            start.assumingMemoryBound(to: UInt8.self),
            maxLength: space.count
        )
        if count <= 0 { stream.close() }
        switch count {
        case 1...: return .bytes(count)
        case 0: return .end
        default:
            throw URLLoading.URLError(.cannotOpenFile, detail: "the body stream cannot be read")
        }
    }
}
