import FoundationEssentials
import Glibc
import URLLoading

extension BodyPlan {
    /// The body from its first byte, as a stream.
    ///
    /// What can be read once, such as standard input, is had again as far as it was kept.
    ///
    /// Throws what opening a file does, and `requestBodyStreamExhausted`.
    func open(_ bodies: OneWayBodies) throws(URLError) -> (any HTTPBodyStream)? {
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
        _ bodies: OneWayBodies
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
        _ bodies: OneWayBodies
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
