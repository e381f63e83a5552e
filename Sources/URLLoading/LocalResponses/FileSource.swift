import FoundationEssentials
import SystemPackage

/// Responds with the file of a `file:` URL, with its length at the time of opening.
final class FileSource: ResponseSource {
    private let url: URL
    private let hasBody: Bool
    private var file: LocalFile?
    /// The number of remaining bytes; `nil` where the file's length is unknown.
    private var left: Int64? = 0
    /// The bytes of the first read.
    private var first: [UInt8] = []

    init(_ url: URL, method: String) {
        self.url = url
        hasBody = method != "HEAD"
    }

    func response() throws(URLError) -> SourceResponse {
        let file = try LocalFile(url)
        let modified = file.modified
        left = file.size
        if file.size == 0 {
            // Files of the kernel have contents, but their size is 0.
            first = try Self.readFirst(file.descriptor)
            left = first.isEmpty ? 0 : nil
        }
        let length = left
        self.file = consume file
        return .other(
            URLResponse(
                url: url,
                expectedContentLength: length.map { Int(clamping: $0) } ?? -1,
                .parts(mimeType: FileMediaType.of(url.lastPathComponent), textEncodingName: nil),
                modified: modified
            )
        )
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        guard hasBody, left != 0, let descriptor = file?.descriptor else { return .end }
        guard first.isEmpty else {
            defer { first = [] }
            space.copyBytes(from: first)
            return .bytes(first.count)
        }
        let asked = left.map { min(Int64(space.count), $0) } ?? Int64(space.count)
        let count: Int
        do {
            count = try descriptor.read(into: .init(rebasing: space[..<Int(asked)]))
        } catch {
            throw Self.broken(error)
        }
        guard count > 0 else {
            guard let left else { return .end }
            throw URLError(
                .resourceUnavailable,
                detail: "the file became \(left) bytes shorter while it was read"
            )
        }
        left = left.map { $0 - Int64(count) }
        return .bytes(count)
    }

    func stop() {
        file = nil
    }

    private static func readFirst(_ descriptor: FileDescriptor) throws(URLError) -> [UInt8] {
        do {
            return try [UInt8](unsafeUninitializedCapacity: 4 << 10) { space, count in
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(space))
            }
        } catch {
            throw broken(error)
        }
    }

    private static func broken(_ error: any Error) -> URLError {
        URLError(.cannotOpenFile, detail: "it cannot be read: \(error)")
    }
}
