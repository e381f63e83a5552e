/// Passes on a limited number of bytes, and fails at the first byte above.
final class LimitedSink: ForwardingSink {
    let sink: any BodySink
    private let limit: Int64
    private var left: Int64
    /// Whether a byte above the limit has arrived.
    private var isExceeded = false

    /// The limit is for the complete body, whose first `offset` bytes exist already.
    init(_ sink: any BodySink, limit: Int64, from offset: Int64 = 0) {
        self.sink = sink
        self.limit = limit
        left = max(0, limit.adding(clamping: -max(0, offset)))
    }

    /// Checks a known length against the limit, before the task creates a file.
    ///
    /// Throws `dataLengthExceedsMaximum`.
    static func check(_ length: Int64?, limit: Int64?) throws(URLError) {
        guard let length, let limit, length > limit else { return }
        let words = "\(length) bytes, and the limit is \(limit)"
        throw URLError(.dataLengthExceedsMaximum, detail: words)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        // No further byte is received while a slow client takes those below the limit.
        guard !isExceeded else { return .full }
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
        isExceeded = true
        _ = try flushPending()
        return .taken
    }

    var isDrained: Bool { !isExceeded && sink.isDrained }

    /// Throws `dataLengthExceedsMaximum` once the client has all bytes below the limit: the error discards what
    /// a slow client has not taken.
    func flushPending() throws(URLError) -> SinkVerdict {
        let verdict = try sink.flushPending()
        guard isExceeded, verdict != .full else { return verdict }
        throw URLError(.dataLengthExceedsMaximum, detail: "more than \(limit) bytes arrived")
    }
}

/// Checks that a partial response (206) has the length of its `Content-Range`
/// ([RFC 9110 §14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
final class FixedLengthSink: ForwardingSink {
    let sink: any BodySink
    /// The part's length, bytes.
    private let length: Int64
    private var left: Int64
    private var hadEnough = false

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

    func finish(_ end: HopEnd) throws(URLError) {
        if end.error == nil, left > 0, !hadEnough {
            let words = "the response ended after \(length - left) of the part's \(length) bytes"
            end.error = URLError(.networkConnectionLost, detail: words)
        }
        try sink.finish(end)
    }
}

/// Computes the digests of a body on its way to another sink, and fails on a mismatch.
///
/// Used only for tasks with a digest: hashing costs as much as all other work on a byte.
final class DigestingSink: ObservingSink {
    let sink: any BodySink
    private let requirements: [DigestRequirement]
    private let announced: [DigestSource]
    private let digests: RunningDigests
    var isCutShort = false

    /// Throws `bodyDigestMismatch` where a digest algorithm is not allowed.
    ///
    /// `announced`: digest fields that will follow in the trailer.
    init(
        _ sink: any BodySink,
        _ requirements: [DigestRequirement],
        announced: [DigestSource] = []
    ) throws(URLError) {
        self.sink = sink
        self.requirements = requirements
        self.announced = announced
        // We do not know the algorithm of a trailer's digest in advance.
        let possible: Set<BodyDigest.Algorithm> = announced.isEmpty ? [] : [.sha256, .sha512]
        digests = try RunningDigests(requirements.algorithms.union(possible))
    }

    func note(_ bytes: UnsafeRawBufferPointer) { digests.update(bytes) }

    func finish(_ end: HopEnd) throws(URLError) {
        try sink.finish(end)
        guard end.error == nil, !isCutShort else { return }
        let late = end.trailers.map { HopDigests.read($0, announced) }
        let made = digests.finish()
        let findings = (requirements + (late?.requirements ?? [])).findings(in: made)
        end.digestFindings += (late?.fieldFindings ?? []) + findings
        end.error = findings.error
    }
}

/// Records a body for the cache, as received, on its way to another sink.
final class RecordingSink: ObservingSink {
    let sink: any BodySink
    private let recorder: CacheRecorder
    var isCutShort = false

    init(_ sink: any BodySink, _ recorder: CacheRecorder) {
        self.sink = sink
        self.recorder = recorder
    }

    func note(_ bytes: UnsafeRawBufferPointer) { recorder.append(bytes) }

    func finish(_ end: HopEnd) throws(URLError) {
        // A sink that drops the body also drops the error with which it ended.
        let isWhole = end.error == nil
        do throws(URLError) {
            try sink.finish(end)
        } catch {
            recorder.abandon()
            throw error
        }
        if isWhole, end.error == nil, !isCutShort, !sink.hasEnough {
            end.recorder = recorder
        } else {
            recorder.abandon()
        }
    }
}
