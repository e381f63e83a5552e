/// Lets so many bytes of a body through, and fails with the first beyond them.
final class LimitedSink: ForwardingSink {
    let sink: any BodySink
    private let limit: Int64
    private var left: Int64

    /// - Parameters:
    ///   - sink: takes what is let through.
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
            detail: "\(length) bytes, and the limit is \(limit)"
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
        throw URLError(.dataLengthExceedsMaximum, detail: "more than \(limit) bytes arrived")
    }
}

/// Sees that a part of a body (206) has the length that its `Content-Range` says
/// ([RFC 9110 §14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
final class FixedLengthSink: ForwardingSink {
    let sink: any BodySink
    private let length: Int64
    private var left: Int64
    private var hadEnough = false

    /// - Parameters:
    ///   - sink: takes the part.
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
                detail: "the response ended after \(length - left) of the part's \(length) bytes"
            )
        }
        try sink.finish(&end)
    }
}

/// Makes the digests of a body on its way to another sink, and fails where they are not those that
/// they were to be.
///
/// It is made only where a digest is asked for: hashing costs as much as all else that is done with
/// a byte.
final class DigestingSink: ObservingSink {
    let sink: any BodySink
    private let requirements: [DigestRequirement]
    private let announced: [DigestSource]
    private let digests: RunningDigests
    var isCutShort = false

    /// - Parameters:
    ///   - sink: takes the body.
    ///   - requirements: what it has to come to.
    ///   - announced: fields with digests that follow it.
    /// - Throws: `bodyDigestMismatch` where the function is not allowed.
    init(
        _ sink: any BodySink,
        _ requirements: [DigestRequirement],
        announced: [DigestSource] = []
    ) throws(URLError) {
        self.sink = sink
        self.requirements = requirements
        self.announced = announced
        // Which function a trailer is going to name is not known before.
        let possible: Set<BodyDigest.Algorithm> = announced.isEmpty ? [] : [.sha256, .sha512]
        digests = try RunningDigests(requirements.algorithms.union(possible))
    }

    func note(_ bytes: UnsafeRawBufferPointer) { digests.update(bytes) }

    func finish(_ end: inout HopEnd) throws(URLError) {
        try sink.finish(&end)
        guard end.error == nil, !isCutShort else { return }
        let late = end.trailers.map { HopDigests.read($0, announced) }
        let made = digests.finish()
        let findings = (requirements + (late?.requirements ?? [])).findings(in: made)
        end.digestFindings += (late?.fieldFindings ?? []) + findings
        end.error = findings.error
    }
}

/// Has a body recorded for the cache while it goes where it goes, as it came over the wire.
final class RecordingSink: ObservingSink {
    let sink: any BodySink
    private let recorder: CacheRecorder
    var isCutShort = false

    init(_ sink: any BodySink, _ recorder: CacheRecorder) {
        self.sink = sink
        self.recorder = recorder
    }

    func note(_ bytes: UnsafeRawBufferPointer) { recorder.append(bytes) }

    func finish(_ end: inout HopEnd) throws(URLError) {
        do throws(URLError) {
            try sink.finish(&end)
        } catch {
            recorder.abandon()
            throw error
        }
        if end.error == nil, !isCutShort, !sink.hasEnough {
            end.recorder = recorder
        } else {
            recorder.abandon()
        }
    }
}
