/// Decodes a body's content codings on its way to another sink.
///
/// Memory does not grow with the output, which the sink passes on in pieces. If the other sink has no room,
/// it buffers the rest of the input.
final class DecodingSink: BodySink {
    /// Bytes to pass to the other sink at once.
    private static let pieceSize = 64 << 10
    /// Bytes to decode before other hops run, some milliseconds: a few KiB can expand to gigabytes.
    private static let iterationLimit = 2 << 20

    private let sink: any BodySink
    private let codings: ContentCodings
    private let wakeSoon: () -> Void
    /// Created with the first byte; an empty body needs no decoding.
    private var stages: (first: DecodingStage, last: DecodingStage)?
    private var output: UnsafeMutableRawBufferPointer?
    /// Decoded bytes that the other sink has not taken.
    private var decoded = UnsafeRawBufferPointer(start: nil, count: 0)
    /// A copy of the undecoded input.
    private var kept: UnsafeMutableRawBufferPointer?
    private var hadEnough = false

    /// Calls `wakeSoon` to request ``flushPending()`` after other hops have run.
    init(_ sink: any BodySink, _ codings: ContentCodings, wakeSoon: @escaping () -> Void) {
        self.sink = sink
        self.codings = codings
        self.wakeSoon = wakeSoon
    }

    deinit {
        output?.deallocate()
        kept?.deallocate()
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        guard isDrained else { return .full }
        guard !bytes.isEmpty else { return .taken }
        if stages == nil { stages = try codings.makeStages() }
        guard let stages else { return .taken }
        stages.first.input = bytes
        guard try decode() == .full else { return hadEnough ? .enough : .taken }
        // The caller's bytes are only valid during this call.
        let rest = stages.first.input
        let kept = UnsafeMutableRawBufferPointer.allocate(byteCount: rest.count, alignment: 1)
        kept.copyMemory(from: rest)
        self.kept = kept
        stages.first.input = UnsafeRawBufferPointer(kept)
        return .taken
    }

    var isDrained: Bool {
        decoded.isEmpty && stages?.last.hasMore != true && sink.isDrained
    }

    func flushPending() throws(URLError) -> SinkVerdict {
        guard !hadEnough else { return .enough }
        switch try sink.flushPending() {
        case .taken: break
        case .full: return .full
        case .enough:
            hadEnough = true
            return .enough
        }
        let verdict = try decode()
        if verdict != .full {
            kept?.deallocate()
            kept = nil
        }
        return verdict
    }

    /// Decodes the available input; `full` where input or output remains.
    private func decode() throws(URLError) -> SinkVerdict {
        guard let stages else { return .taken }
        let output = output ?? .allocate(byteCount: Self.pieceSize, alignment: 64)
        self.output = output
        var budget = Self.iterationLimit
        while true {
            if !decoded.isEmpty {
                switch try sink.take(decoded) {
                case .taken: break
                case .full: return .full
                case .enough:
                    hadEnough = true
                    return .enough
                }
            }
            let count = try stages.last.read(into: output, &budget)
            decoded = UnsafeRawBufferPointer(rebasing: output[..<count])
            guard count == 0 else { continue }
            guard stages.last.hasMore else { return .taken }
            wakeSoon()
            return .full
        }
    }

    func decide(_ disposition: BodyDisposition) {
        sink.decide(disposition)
    }

    func iterationEnded() throws(URLError) {
        try sink.iterationEnded()
    }

    var nextDeadline: MonotonicInstant? { sink.nextDeadline }

    func finish(_ end: HopEnd) throws(URLError) {
        if end.error == nil, !hadEnough, !isDrained {
            // The hop ends before the sink has decoded all input, although all has arrived.
            end.error = URLError(.cancelled)
        } else if end.error == nil, !hadEnough {
            do throws(URLError) {
                try stages?.last.finish()
            } catch {
                end.error = error
            }
        }
        try sink.finish(end)
    }
}

/// One decoding stage, behind the stage of the coding that was applied after it, if any.
final class DecodingStage {
    /// Bytes that one stage passes to the next at once.
    private static let size = 64 << 10

    private let coding: ContentCoding
    private let decoder: any ContentDecoder
    private let source: DecodingStage?
    private var buffer: UnsafeMutableRawBufferPointer?
    /// The undecoded input.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The number of input bytes decoded.
    private var taken: Int64 = 0
    /// Whether the last output was full, so that more may follow without further input.
    private var wasFull = false

    /// Decodes the output of a source, or else the input that the caller sets.
    ///
    /// Throws `cannotDecodeRawData` where the coding's library is missing, `cannotDecodeContentData`
    /// where no memory is available.
    init(_ coding: ContentCoding, after source: DecodingStage?) throws(URLError) {
        let decoder: (any ContentDecoder)?
        do throws(ContentError) {
            decoder = try coding.makeDecoder()
        } catch {
            throw URLError(.cannotDecodeContentData, detail: "the \(coding) body \(error.words)")
        }
        guard let decoder else {
            let words =
                "the body is encoded as \"\(coding)\", and \(coding.library) is not installed"
            throw URLError(.cannotDecodeRawData, detail: words)
        }
        self.coding = coding
        self.decoder = decoder
        self.source = source
        if source != nil { buffer = .allocate(byteCount: Self.size, alignment: 64) }
    }

    deinit {
        buffer?.deallocate()
    }

    /// Whether output may follow without further input.
    var hasMore: Bool { !input.isEmpty || wasFull || source?.hasMore == true }

    /// Decodes input within a budget of bytes for all stages; 0: more input is needed, or no budget is left.
    func read(
        into output: UnsafeMutableRawBufferPointer,
        _ budget: inout Int
    ) throws(URLError) -> Int {
        while budget > 0 {
            if !input.isEmpty || wasFull {
                let count = try decode(into: output)
                budget -= count
                if count > 0 { return count }
            } else {
                guard let source, let buffer else { return 0 }
                let count = try source.read(into: buffer, &budget)
                guard count > 0 else { return 0 }
                input = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            }
        }
        return 0
    }

    private func decode(into output: UnsafeMutableRawBufferPointer) throws(URLError) -> Int {
        let before = input.count
        do throws(ContentError) {
            let count = try decoder.decode(&input, into: output)
            taken += Int64(before - input.count)
            guard count > 0 || wasFull || input.count < before else { throw .broken(nil) }
            wasFull = count == output.count
            return count
        } catch {
            taken += Int64(before - input.count)
            throw failure(error)
        }
    }

    /// Ends the input; throws `cannotDecodeContentData` where the coded data is incomplete.
    func finish() throws(URLError) {
        try source?.finish()
        // Some servers send no bytes for an empty body.
        guard taken > 0 else { return }
        do throws(ContentError) {
            try decoder.finish()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: ContentError) -> URLError {
        URLError(
            .cannotDecodeContentData,
            detail: "the \(coding) body \(error.words) after \(taken) bytes"
        )
    }
}
