import SystemPackage
import URLLoading

/// What is no regular file, opened by its name and closed at the end.
final class OpenedStream: HTTPBodyStream {
    private let descriptor: FileDescriptor
    private let stream: DescriptorBodyStream

    /// Throws `cannotOpenFile`.
    init(_ path: String) throws(URLError) {
        do {
            // A FIFO that nobody writes to yet would hold the caller up; poll(2) waits for it.
            descriptor = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.closeOnExec, .nonBlocking]
            )
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        stream = DescriptorBodyStream(descriptor.rawValue)
    }

    deinit {
        try? descriptor.close()
    }

    var contentLength: Int64? { stream.contentLength }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try stream.read(into: space)
    }
}
