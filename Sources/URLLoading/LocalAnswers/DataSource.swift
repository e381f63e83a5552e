import FoundationEssentials

/// Answers with what stands in a `data:` URL itself.
final class DataSource: AnswerSource {
    private let url: URL
    private let hasBody: Bool
    private var bytes: ArraySlice<UInt8> = []

    init(_ url: URL, method: String) {
        self.url = url
        hasBody = method != "HEAD"
    }

    func start(wake: @escaping @Sendable () -> Void) {}

    func answer() throws(URLError) -> SourceAnswer {
        let data = try DataURL(url)
        if hasBody { bytes = data.bytes[...] }
        return .other(
            URLResponse(
                url: url,
                mimeType: data.mediaType.essence,
                expectedContentLength: data.bytes.count,
                textEncodingName: data.mediaType.charset
            )
        )
    }

    func read(into space: UnsafeMutableRawBufferPointer) -> SourceRead {
        guard !bytes.isEmpty else { return .end }
        let piece = bytes.prefix(space.count)
        space.copyBytes(from: piece)
        bytes = bytes.dropFirst(piece.count)
        return .bytes(piece.count)
    }

    func stop() {
        bytes = []
    }
}
