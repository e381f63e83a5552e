/// Sees that a part of a body (206) has the length that its `Content-Range` says
/// ([RFC 9110 §14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
final class MeasuredSink: PassingSink {
    let sink: any BodySink
    private let length: Int64
    private var left: Int64
    private var hadEnough = false

    /// - Parameters:
    ///   - sink: who takes the part.
    ///   - length: bytes.
    init(_ sink: any BodySink, length: Int64) {
        self.sink = sink
        self.length = length
        left = length
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        guard Int64(bytes.count) <= left else {
            throw URLError(.badServerResponse, detail: "the part is longer than its Content-Range")
        }
        let verdict = try sink.take(bytes)
        if verdict != .full { left -= Int64(bytes.count) }
        if verdict == .enough { hadEnough = true }
        return verdict
    }

    func finish(_ end: inout HopEnd) throws(URLError) {
        if end.error == nil, left > 0, !hadEnough {
            end.error = URLError(
                .networkConnectionLost,
                detail: "the answer ended after \(length - left) of the part's \(length) bytes"
            )
        }
        try sink.finish(&end)
    }
}
