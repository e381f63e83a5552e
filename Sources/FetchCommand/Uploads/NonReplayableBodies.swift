import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

/// The bodies that can be read once, such as standard input: each is kept while it is sent, so that it
/// can be sent again.
final class NonReplayableBodies: Sendable {
    private enum Source: Hashable {
        case standardInput
        case path(String)
    }

    private let limit: Int64
    private let spools = Mutex<[Source: BodySpool]>([:])

    /// - Parameter limit: what is kept of each, bytes.
    init(limit: Int64) {
        self.limit = limit
    }

    /// Standard input, from where it was when the program started.
    ///
    /// - Parameter joinsLines: whether its line ends are left out.
    /// - Returns: the stream.
    /// - Throws: `requestBodyStreamExhausted` where its beginning could not be kept.
    func standardInput(joinsLines: Bool = false) throws(URLError) -> any HTTPBodyStream {
        try stream(.standardInput) { () throws(URLError) in
            let stream = DescriptorBodyStream(STDIN_FILENO)
            return joinsLines ? LineJoiningStream(stream) : stream
        }
    }

    /// What is behind a path that is not a regular file: a FIFO, or `/dev/fd/63` of a shell.
    ///
    /// Throws `requestBodyStreamExhausted`, and `cannotOpenFile`.
    func pipe(_ path: String) throws(URLError) -> any HTTPBodyStream {
        try stream(.path(path)) { () throws(URLError) in try OpenedStream(path) }
    }

    private func stream(
        _ source: Source,
        _ open: () throws(URLError) -> any HTTPBodyStream
    ) throws(URLError) -> any HTTPBodyStream {
        let spool = try spools.withLock { spools throws(URLError) in
            if let spool = spools[source] { return spool }
            let spool = BodySpool(try open(), limit: limit)
            spools[source] = spool
            return spool
        }
        return try spool.stream()
    }
}

extension BodyPlan {
    /// The body from its first byte, as a stream.
    ///
    /// What can be read once, such as standard input, is had again as far as it was kept.
    ///
    /// Throws what opening a file does, and `requestBodyStreamExhausted`.
    func open(_ bodies: NonReplayableBodies) throws(URLError) -> (any HTTPBodyStream)? {
        switch self {
        case .none: return nil
        case .data(let bytes): return DataBodyStream(Data(bytes))
        case .file(let path, _): return try Self.open(path, bodies)
        case .rest(let path, let offset, let size):
            return try RestOfFileStream(path, from: offset, size: size)
        case .standardInput(let joinsLines):
            return try bodies.standardInput(joinsLines: joinsLines)
        case .form(let form):
            var streams: [any HTTPBodyStream] = []
            for segment in form.segments {
                streams.append(try Self.open(segment, bodies))
            }
            return JoinedStream(streams)
        }
    }

    private static func open(
        _ segment: BodySegment,
        _ bodies: NonReplayableBodies
    ) throws(URLError) -> any HTTPBodyStream {
        switch segment {
        case .bytes(let bytes): DataBodyStream(Data(bytes))
        case .file(let path, _): try open(path, bodies)
        case .standardInput: try bodies.standardInput()
        }
    }

    /// A regular file, or whatever else can be opened: a FIFO, `/dev/fd/63` of a process
    /// substitution.
    private static func open(
        _ path: String,
        _ bodies: NonReplayableBodies
    ) throws(URLError) -> any HTTPBodyStream {
        // Opened twice, a FIFO would lose what is written in between.
        if let facts = try? FileFacts(path: path), facts.kind == .other {
            return try bodies.pipe(path)
        }
        do {
            return try FileBodyStream(URL(filePath: AbsolutePath.of(path)))
        } catch  where error.code == .cannotOpenFile {
            return try bodies.pipe(path)
        }
    }
}
