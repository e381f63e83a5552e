import Synchronization
import TestSupport

@testable import URLLoading

/// A body that is readable once, made during the reading: pseudo-random bytes in pieces of odd sizes.
final class NonReplayableStream: HTTPBodyStream {
    let contentLength: Int64?
    private let length: Int
    private let failsAt: Int?
    private let pieceLimit: Int
    private let state: Mutex<(generator: PseudoRandom, sent: Int, rest: [UInt8], reads: Int)>

    /// - Parameters:
    ///   - length: bytes, a multiple of eight.
    ///   - isKnown: whether the stream announces its length.
    ///   - pieceLimit: the most that one read gives.
    ///   - failsAt: the offset at which reading fails.
    init(_ length: Int, isKnown: Bool = false, pieceLimit: Int = .max, failsAt: Int? = nil) {
        self.length = length
        self.pieceLimit = pieceLimit
        self.failsAt = failsAt
        contentLength = isKnown ? Int64(length) : nil
        state = Mutex((PseudoRandom(seed: 7), 0, [], 0))
    }

    /// How often the spool has read it.
    var reads: Int { state.withLock { $0.reads } }

    /// All of it.
    static func bytes(_ length: Int) -> [UInt8] { PseudoRandom.bytes(length, seed: 7) }

    func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        let result: HTTPBodyStreamRead? = state.withLock { state in
            state.reads += 1
            if let failsAt, state.sent >= failsAt { return nil }
            guard state.sent < length else { return .end }
            if state.rest.isEmpty {
                state.rest = state.generator.bytes(min(64 << 10, length - state.sent))
            }
            let count = min(space.count, pieceLimit, state.rest.count)
            space.copyBytes(from: state.rest[..<count])
            state.rest.removeFirst(count)
            state.sent += count
            return .bytes(count)
        }
        guard let result else { throw URLError(.cannotOpenFile, detail: "the source failed") }
        return result
    }
}
