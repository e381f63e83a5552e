/// Lets so many bytes of a body through, and fails with the first beyond them.
final class LimitedSink: PassingSink {
    let sink: any BodySink
    private let limit: Int64
    private var left: Int64

    /// - Parameters:
    ///   - sink: who takes what is let through.
    ///   - limit: bytes of the whole.
    ///   - offset: what of the whole is there already.
    init(_ sink: any BodySink, limit: Int64, from offset: Int64 = 0) {
        self.sink = sink
        self.limit = limit
        left = max(0, limit - offset)
    }

    /// Sees that a body of a known length may come, before a file is made for it.
    ///
    /// Throws `dataLengthExceedsMaximum`.
    static func check(_ length: Int64?, limit: Int64?) throws(URLError) {
        guard let length, let limit, length > limit else { return }
        throw URLError(
            .dataLengthExceedsMaximum,
            detail: "\(length) bytes, and \(limit) are allowed"
        )
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        guard Int64(bytes.count) > left else {
            let verdict = try sink.take(bytes)
            if verdict != .full { left -= Int64(bytes.count) }
            return verdict
        }
        if left > 0 {
            let rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(left)))
            guard try sink.take(rest) != .full else { return .full }
            left = 0
        }
        throw URLError(.dataLengthExceedsMaximum, detail: "more than \(limit) bytes came")
    }
}
