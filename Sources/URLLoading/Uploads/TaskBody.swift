import FoundationEssentials

/// Where a task's request body comes from, each time it is wanted.
enum TaskBody: Sendable {
    /// There is none.
    case none
    /// From memory.
    case data(Data)
    /// From a file, opened afresh.
    case file(URL)
    /// From a stream that can be had once; then the delegate is asked.
    case stream((any HTTPBodyStream)?)

    /// A stream from the body's first byte; `nil` where there is no body, or nobody but the
    /// delegate has it.
    ///
    /// Throws what `FileBodyStream` does.
    func open() throws(URLError) -> (any HTTPBodyStream)? {
        switch self {
        case .none: nil
        case .data(let data): DataBodyStream(data)
        case .file(let file): try FileBodyStream(file)
        case .stream(let stream): stream
        }
    }

    /// The same, as the request declares it: a stream has the length of its `Content-Length`.
    func open(for request: URLRequest) throws(URLError) -> (any HTTPBodyStream)? {
        guard case .stream(let stream?) = self else { return try open() }
        return DeclaredLengthStream.declared(stream, by: request)
    }

    /// Whether there is one.
    var isSome: Bool {
        if case .none = self { false } else { true }
    }

    /// Whether the delegate must be asked for the stream.
    var mustAsk: Bool {
        if case .stream(nil) = self { true } else { false }
    }

    /// The same body when it is wanted another time.
    var again: TaskBody {
        if case .stream = self { .stream(nil) } else { self }
    }
}
