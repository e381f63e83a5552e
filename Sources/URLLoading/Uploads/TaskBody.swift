import FoundationEssentials
import Synchronization

/// The source of a task's request body.
enum TaskBody: Sendable {
    case none
    case data(Data)
    /// From a file, which the task opens for each use.
    case file(URL)
    /// From a stream, once; for a further use the task asks the delegate.
    case stream((any HTTPBodyStream)?)

    /// A stream from the body's first byte; `nil` if there is no body, or the task must ask the delegate.
    ///
    /// Throws the errors of `FileBodyStream`.
    func open() throws(URLError) -> (any HTTPBodyStream)? {
        switch self {
        case .none: nil
        case .data(let data): DataBodyStream(data)
        case .file(let file): try FileBodyStream(file)
        case .stream(let stream): stream
        }
    }

    /// The same; a stream gets the length of the request's `Content-Length`, if any.
    func open(for request: URLRequest) throws(URLError) -> (any HTTPBodyStream)? {
        guard case .stream(let stream?) = self, let length = request.headerFields.contentLength
        else { return try open() }
        return DeclaredLengthStream(stream, length: length)
    }

    var isSome: Bool {
        if case .none = self { false } else { true }
    }

    /// Whether the task must ask the delegate for the stream.
    var mustAsk: Bool {
        if case .stream(nil) = self { true } else { false }
    }

    /// The same body for another request.
    var again: TaskBody {
        if case .stream = self { .stream(nil) } else { self }
    }
}

/// A stream whose length the caller has declared with `Content-Length`.
///
/// The task sends the last byte only after the stream has ended, so that a server never accepts an
/// incomplete body.
final class DeclaredLengthStream: HTTPBodyStream {
    private struct State {
        /// The number of bytes read from the source.
        var taken: Int64 = 0
        /// The last byte, until the source has shown that it ends after it.
        var last: UInt8?
        var hasEnded = false
    }

    private let source: any HTTPBodyStream
    private let length: Int64
    private let state = Mutex(State())

    /// Declares the length of a stream that is at its first byte, bytes.
    init(_ source: any HTTPBodyStream, length: Int64) {
        self.source = source
        self.length = length
    }

    var contentLength: Int64? { length }

    /// Reads the available bytes; throws `cannotOpenFile` where the source has more or fewer.
    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try state.withLock { state throws(URLError) in
            guard !state.hasEnded, !space.isEmpty else { return .end }
            guard state.taken < length else { return try readEnd(into: space, &state) }
            let room = Int(min(Int64(space.count), length - state.taken))
            let read = try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: space[..<room])
            )
            switch read {
            case .waitForReadable: return read
            case .end: throw error("ended after \(state.taken) bytes")
            case .bytes(let count):
                state.taken += Int64(count)
                guard state.taken == length else { return read }
                state.last = space[count - 1]
                return count > 1 ? .bytes(count - 1) : try readEnd(into: space, &state)
            }
        }
    }

    func seek(to offset: Int64) -> Bool {
        state.withLock { state in
            guard (0...length).contains(offset), source.seek(to: offset) else { return false }
            state = State(taken: offset)
            return true
        }
    }

    /// Checks whether the source has ended, and returns the last byte.
    private func readEnd(
        into space: UnsafeMutableRawBufferPointer,
        _ state: inout State
    ) throws(URLError) -> HTTPBodyStreamRead {
        // The last byte may still be undelivered, so we read at most one byte.
        let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<1]))
        switch read {
        case .waitForReadable: return read
        case .bytes: throw error("has more bytes")
        case .end:
            state.hasEnded = true
            guard let last = state.last else { return .end }
            space[0] = last
            return .bytes(1)
        }
    }

    private func error(_ words: String) -> URLError {
        URLError(.cannotOpenFile, detail: "the body \(words), and its Content-Length is \(length)")
    }
}
