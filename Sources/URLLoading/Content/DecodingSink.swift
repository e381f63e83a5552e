/// Undoes a body's content codings on its way to another sink.
///
/// Memory does not grow with the output, which is handed on in pieces. Where the other sink has no
/// room, the rest of the input is kept until there is.
final class DecodingSink: BodySink {
    /// Bytes; what the other sink is handed at once.
    private static let pieceSize = 64 << 10
    /// Bytes that are decoded before other hops on the same thread run: some milliseconds.
    ///
    /// A piece of a few KiB can come to gigabytes.
    private static let iterationLimit = 2 << 20

    private let sink: any BodySink
    private let codings: ContentCodings
    private let wakeSoon: () -> Void
    /// Made with the first byte: a body of none needs no undoing.
    private var stages: (first: DecodingStage, last: DecodingStage)?
    private var output: UnsafeMutableRawBufferPointer?
    /// What has come out and was not taken yet.
    private var decoded = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The input that is not decoded yet.
    private var kept: UnsafeMutableRawBufferPointer?
    private var hadEnough = false

    /// - Parameters:
    ///   - sink: where the body goes.
    ///   - codings: what was done to it.
    ///   - wakeSoon: has ``goOn()`` called when other hops have run.
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
        let stages = try begin()
        stages.first.input = bytes
        guard try decode() == .full else { return hadEnough ? .enough : .taken }
        // The bytes are gone when this returns.
        let rest = stages.first.input
        let kept = UnsafeMutableRawBufferPointer.allocate(byteCount: rest.count, alignment: 1)
        kept.copyMemory(from: rest)
        self.kept = kept
        stages.first.input = UnsafeRawBufferPointer(kept)
        return .taken
    }

    private func begin() throws(URLError) -> (first: DecodingStage, last: DecodingStage) {
        if let stages { return stages }
        let made = try codings.makeStages()
        stages = made
        return made
    }

    var isDrained: Bool {
        decoded.isEmpty && stages?.last.hasMore != true && sink.isDrained
    }

    func goOn() throws(URLError) -> SinkVerdict {
        guard !hadEnough else { return .enough }
        switch try sink.goOn() {
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

    /// Decodes what there is.
    ///
    /// - Returns: `full` where some of it is left.
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

    func finish(_ end: inout HopEnd) throws(URLError) {
        if end.error == nil, !hadEnough, !isDrained {
            // It is given up before all has been undone, though all has come.
            end.error = URLError(.cancelled)
        } else if end.error == nil, !hadEnough {
            do throws(URLError) {
                try stages?.last.finish()
            } catch {
                end.error = error
            }
        }
        try sink.finish(&end)
    }
}

/// One coding that is being undone, behind the one that was done after it, if there is one.
final class DecodingStage {
    /// Bytes; what one decoder hands another at once.
    private static let size = 64 << 10

    private let coding: ContentCoding
    private let decoder: any ContentDecoder
    private let source: DecodingStage?
    private var buffer: UnsafeMutableRawBufferPointer?
    /// What is still to be decoded.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The bytes that were decoded.
    private var taken: Int64 = 0
    /// Whether the last output was full, so that there may be more without more input.
    private var wasFull = false

    /// - Parameters:
    ///   - coding: what is undone.
    ///   - source: what its input comes from; `nil` where that is set from outside.
    /// - Throws: `cannotDecodeRawData` where the coding's library is not there,
    ///   `cannotDecodeContentData` where there is no memory.
    init(_ coding: ContentCoding, after source: DecodingStage?) throws(URLError) {
        let decoder: (any ContentDecoder)?
        do throws(ContentError) {
            decoder = try coding.makeDecoder()
        } catch {
            throw URLError(.cannotDecodeContentData, detail: "the \(coding) body \(error.words)")
        }
        guard let decoder else {
            let words = "the body is encoded as \"\(coding)\", and \(coding.library) is not there"
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

    /// Whether something may come of what is there already.
    var hasMore: Bool { !input.isEmpty || wasFull || source?.hasMore == true }

    /// Decodes what there is.
    ///
    /// - Parameters:
    ///   - output: where to.
    ///   - budget: bytes that may be made in all stages together, about; what was made is taken off.
    /// - Returns: the bytes of output; 0 where more input is wanted, or the budget is used up.
    /// - Throws: `cannotDecodeContentData`.
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

    /// Says that there is no more input.
    ///
    /// - Throws: `cannotDecodeContentData` where something is missing.
    func finish() throws(URLError) {
        try source?.finish()
        // Nothing at all is what some servers make of nothing.
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
