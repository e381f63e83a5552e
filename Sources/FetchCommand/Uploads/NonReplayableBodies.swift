import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

/// Bodies that can be read only once, such as standard input; each is buffered while it is sent, so
/// that it can be sent again.
final class NonReplayableBodies: Sendable {
    private enum Source: Hashable {
        case standardInput
        case path(ExactText)
    }

    private let limit: Int64
    private let spools = Mutex<[Source: BodySpool]>([:])

    /// The limit is that of each body's buffer, in bytes.
    init(limit: Int64) {
        self.limit = limit
    }

    /// Standard input, from its position at the program's start.
    ///
    /// Throws `requestBodyStreamExhausted` if its beginning is no longer buffered.
    func standardInput(joinsLines: Bool = false) throws(URLError) -> any HTTPBodyStream {
        try stream(.standardInput) { () throws(URLError) in
            let stream = DescriptorBodyStream(STDIN_FILENO)
            return joinsLines ? LineJoiningStream(stream) : stream
        }
    }

    /// The content of a path that is not a regular file: a FIFO, or a shell's `/dev/fd/63`.
    ///
    /// Throws `requestBodyStreamExhausted` or `cannotOpenFile`.
    func pipe(_ path: String) throws(URLError) -> any HTTPBodyStream {
        try stream(.path(ExactText(path))) { () throws(URLError) in
            try DescriptorBodyStream(opening: path)
        }
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
    /// A body that can be read only once is replayed from its buffer. Throws errors of opening a
    /// file, and `requestBodyStreamExhausted`.
    func open(_ bodies: NonReplayableBodies) throws(URLError) -> (any HTTPBodyStream)? {
        switch self {
        case .none: return nil
        case .data(let bytes): return DataBodyStream(Data(bytes))
        case .file(let path, _): return try Self.open(path, bodies)
        case .rest(let path, let offset, let size):
            let file = URL(filePath: AbsolutePath.of(path))
            let stream = try FileBodyStream(file, from: offset)
            guard stream.contentLength == size - offset else {
                throw URLError(.cannotOpenFile, detail: "\(path) is now shorter than \(size) bytes")
            }
            return stream
        case .standardInput(let joinsLines):
            return try bodies.standardInput(joinsLines: joinsLines)
        case .form(let form):
            var streams: [any HTTPBodyStream] = []
            for segment in form.segments {
                if let stream = try segment.open(bodies) { streams.append(stream) }
            }
            return JoinedStream(streams)
        }
    }

    /// Opens a regular file, or another kind: a FIFO, or `/dev/fd/63` of a process substitution.
    private static func open(
        _ path: String,
        _ bodies: NonReplayableBodies
    ) throws(URLError) -> any HTTPBodyStream {
        // If a FIFO were opened twice, bytes written in between would be lost.
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
