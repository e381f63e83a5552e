import FoundationEssentials

@testable import URLLoading

/// A sink that keeps its input, and whose room the test limits.
final class SinkProbe: BodySink {
    private(set) var data: [UInt8] = []
    private(set) var largestPiece = 0
    private(set) var pieces = 0
    /// Bytes that are taken before the sink is full.
    var room = Int.max
    var hasFinished = false

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard room > 0 else { return .full }
        room -= bytes.count
        pieces += 1
        largestPiece = max(largestPiece, bytes.count)
        data.append(contentsOf: bytes)
        return .taken
    }

    func iterationEnded() {}

    func finish(_ end: HopEnd) {
        hasFinished = true
    }
}

/// A decoding sink before a probe, driven as the body router does.
final class Decoding {
    let probe = SinkProbe()
    private(set) var wakes = 0
    let end = HopEnd()
    private lazy var sink = DecodingSink(probe, codings) { [unowned self] in wakes += 1 }
    private let codings: ContentCodings

    init?(_ contentEncoding: String) {
        var fields = HTTPHeaderFields()
        fields["Content-Encoding"] = contentEncoding
        guard let codings = ContentCodings(fields) else { return nil }
        self.codings = codings
    }

    var isDrained: Bool { sink.isDrained }

    /// Passes bytes to the sink, and continues as long as the sink requests.
    func take(_ bytes: some Collection<UInt8>) throws(URLError) -> SinkVerdict {
        let bytes = Array(bytes)
        let verdict = try bytes.withUnsafeBufferPointer { bytes throws(URLError) in
            try sink.take(UnsafeRawBufferPointer(bytes))
        }
        try flushPending()
        return verdict
    }

    /// Continues while the sink requests.
    func flushPending() throws(URLError) {
        _ = try sink.flushPending()
        var before = -1
        while before != wakes {
            before = wakes
            _ = try sink.flushPending()
        }
    }

    /// Ends the body.
    ///
    /// - Returns: The error, if any.
    func finish() -> URLError? {
        try? sink.finish(end)
        return end.error
    }

    /// Decodes a whole body in pieces of a size, and returns the output.
    static func decode(
        _ bytes: [UInt8],
        _ contentEncoding: String,
        piece: Int = 16 << 10
    ) -> (data: [UInt8], error: URLError?) {
        guard let decoding = Decoding(contentEncoding) else { return (bytes, nil) }
        do throws(URLError) {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                _ = try decoding.take(bytes[start..<min(start + piece, bytes.count)])
            }
        } catch {
            return (decoding.probe.data, error)
        }
        return (decoding.probe.data, decoding.finish())
    }
}
