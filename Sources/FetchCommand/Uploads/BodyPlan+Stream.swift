import FoundationEssentials
import Glibc
import URLLoading

extension BodyPlan {
    /// The body from its first byte, as a stream.
    ///
    /// Standard input can be had once, unless it is a regular file: it is read from where it stood
    /// when the program started.
    ///
    /// Throws what opening a file does.
    func open(_ standardInput: StandardInput) throws(URLError) -> (any HTTPBodyStream)? {
        switch self {
        case .none: return nil
        case .data(let bytes): return DataBodyStream(Data(bytes))
        case .file(let path, _): return try Self.open(path)
        case .standardInput(let joinsLines):
            guard let stream = standardInput.open() else { return nil }
            return joinsLines ? LineJoiningStream(stream) : stream
        case .form(let form):
            var streams: [any HTTPBodyStream] = []
            for segment in form.segments {
                guard let stream = try Self.open(segment, standardInput) else { return nil }
                streams.append(stream)
            }
            return JoinedStream(streams)
        }
    }

    private static func open(
        _ segment: BodySegment,
        _ standardInput: StandardInput
    ) throws(URLError) -> (any HTTPBodyStream)? {
        switch segment {
        case .bytes(let bytes): DataBodyStream(Data(bytes))
        case .file(let path, _): try open(path)
        case .standardInput: standardInput.open()
        }
    }

    /// A regular file, or whatever else can be opened: a FIFO, `/dev/fd/63` of a process
    /// substitution.
    private static func open(_ path: String) throws(URLError) -> any HTTPBodyStream {
        do {
            return try FileBodyStream(URL(filePath: path))
        } catch  where error.code == .cannotOpenFile {
            return try OpenedStream(path)
        }
    }
}
