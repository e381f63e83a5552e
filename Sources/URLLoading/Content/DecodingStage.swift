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
        do throws(ContentFlaw) {
            decoder = try coding.makeDecoder()
        } catch {
            throw URLError(.cannotDecodeContentData, detail: "the \(coding) body \(error.words)")
        }
        guard let decoder else {
            let words = "the body is coded as \"\(coding)\", and \(coding.library) is not there"
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
        do throws(ContentFlaw) {
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
        do throws(ContentFlaw) {
            try decoder.finish()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ flaw: ContentFlaw) -> URLError {
        URLError(
            .cannotDecodeContentData,
            detail: "the \(coding) body \(flaw.words) after \(taken) bytes"
        )
    }
}
