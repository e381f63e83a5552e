public import FoundationEssentials
import Synchronization

/// Makes a body replayable that we can read only once: stores the read bytes, first in memory, then in an
/// unnamed temporary file.
///
/// Use it for `needNewBodyStream`: ``stream()`` returns the body from its first byte, any number of times,
/// and continues with the source after the stored bytes. It reads no bytes ahead. It delivers a body beyond
/// the limit once, in constant memory, and is then exhausted. If the source can seek to its start, it stores
/// no bytes.
public final class BodySpool: Sendable {
    /// 1 MiB.
    public static let defaultMemoryLimit = 1 << 20
    /// 1 GiB.
    public static let defaultLimit: Int64 = 1 << 30

    private struct State {
        /// The bytes so far; `nil`: the spool could not store them.
        var store: SpoolStore?
        /// The reason why the spool could not store the bytes.
        var loss: Loss?
        /// The number of bytes read from the source.
        var count: Int64 = 0
        var hasEnded = false
        /// The length of the whole body; `nil` before its end.
        var length: Int64?
        /// The number of the stream that may read; earlier streams may not.
        var current = 0
    }

    enum Loss: Sendable, Hashable {
        case limit(Int64)
        case file(folder: String, reason: String)
    }

    private let source: any HTTPBodyStream
    private let canSeek: Bool
    private let state: Mutex<State>

    /// Takes over a stream; no other code may read it afterwards.
    ///
    /// - Parameters:
    ///   - source: the stream, at its first byte.
    ///   - memoryLimit: the most bytes in memory; a larger body goes to a file.
    ///   - limit: the most bytes to store.
    ///   - folder: the folder of the file; `nil`: `TMPDIR`, or `/tmp`.
    public init(
        _ source: any HTTPBodyStream,
        memoryLimit: Int = BodySpool.defaultMemoryLimit,
        limit: Int64 = BodySpool.defaultLimit,
        folder: URL? = nil
    ) {
        self.source = source
        canSeek = source.seek(to: 0)
        var state = State()
        if canSeek {
            // The source can repeat its bytes.
        } else if let length = source.contentLength, length > limit {
            // The body is longer than the limit, so the spool stores no bytes.
            state.loss = .limit(limit)
        } else {
            state.store = SpoolStore(
                memoryLimit: max(0, memoryLimit),
                limit: limit,
                folder: folder?.path ?? TemporaryFolder.path
            )
        }
        self.state = Mutex(state)
    }

    /// The length of the whole body, bytes; `nil` where it becomes known only at the end.
    public var contentLength: Int64? { source.contentLength ?? state.withLock { $0.length } }

    /// Whether the spool can deliver the body from its first byte now.
    public var canReplay: Bool {
        state.withLock { canReplay($0) }
    }

    var bytesInMemory: Int {
        state.withLock { $0.store?.bytesInMemory ?? 0 }
    }

    private func canReplay(_ state: State) -> Bool {
        canSeek || state.store != nil || state.count == 0
    }

    /// The body from its first byte; earlier streams read no further bytes.
    ///
    /// Throws `requestBodyStreamExhausted`, with the reason, where the first byte is lost.
    public func stream() throws(URLError) -> any HTTPBodyStream {
        try state.withLock { state throws(URLError) in
            guard canReplay(state), !canSeek || seek(to: 0, &state) else {
                throw Self.error(state.loss)
            }
            state.current += 1
            return SpooledBodyStream(self, number: state.current)
        }
    }

    /// Reads from an offset: stored bytes, or else the source.
    func read(
        into space: UnsafeMutableRawBufferPointer,
        from offset: Int64,
        for number: Int
    ) throws(URLError) -> HTTPBodyStreamRead {
        try state.withLock { state throws(URLError) in
            guard number == state.current else {
                throw URLError(.cancelled, detail: "the body is being sent again")
            }
            guard offset == state.count else {
                guard let store = state.store else { throw Self.error(state.loss) }
                return .bytes(try store.read(into: space, from: offset))
            }
            return try readSource(into: space, &state)
        }
    }

    /// Whether the spool can serve a read at this offset.
    func reaches(_ offset: Int64, for number: Int) -> Bool {
        state.withLock { state in
            guard number == state.current else { return false }
            if offset == state.count { return true }
            if canSeek { return seek(to: offset, &state) }
            return state.store != nil && (0..<state.count) ~= offset
        }
    }

    private func seek(to offset: Int64, _ state: inout State) -> Bool {
        guard source.seek(to: offset) else { return false }
        state.count = offset
        state.hasEnded = false
        return true
    }

    private func readSource(
        into space: UnsafeMutableRawBufferPointer,
        _ state: inout State
    ) throws(URLError) -> HTTPBodyStreamRead {
        guard !state.hasEnded else { return .end }
        let read = try source.read(into: space)
        switch read {
        case .bytes(let taken):
            // The task sends the bytes even if the spool cannot store them: it may never need a replay.
            let bytes = UnsafeRawBufferPointer(rebasing: space[..<taken])
            if let loss = state.store?.append(bytes) {
                state.loss = loss
                state.store = nil
            }
            state.count += Int64(taken)
        case .end:
            state.hasEnded = true
            state.length = state.count
        case .waitForReadable: break
        }
        return read
    }

    private static func error(_ loss: Loss?) -> URLError {
        let reason =
            switch loss {
            case .limit(let limit): "it is longer than the limit of \(limit) bytes"
            case .file(let folder, let reason): "it could not be stored in \(folder): \(reason)"
            case nil: "its source cannot be read again"
            }
        return URLError(.requestBodyStreamExhausted, detail: reason)
    }
}

/// A spooled body, read from its first byte.
final class SpooledBodyStream: HTTPBodyStream {
    private let spool: BodySpool
    private let number: Int
    private let offset = Mutex<Int64>(0)

    init(_ spool: BodySpool, number: Int) {
        self.spool = spool
        self.number = number
    }

    var contentLength: Int64? { spool.contentLength }

    func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        try offset.withLock { offset throws(URLError) in
            let read = try spool.read(into: space, from: offset, for: number)
            if case .bytes(let count) = read { offset += Int64(count) }
            return read
        }
    }

    func seek(to offset: Int64) -> Bool {
        self.offset.withLock { current in
            guard spool.reaches(offset, for: number) else { return false }
            current = offset
            return true
        }
    }
}
