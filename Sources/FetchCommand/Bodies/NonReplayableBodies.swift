import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

/// Bodies that can be read only once, such as standard input; each is buffered to be sent again.
final class NonReplayableBodies: Sendable {
    private let limit: Int64
    /// By path; `nil` is the key of standard input.
    private let spools = Mutex<[ExactText?: BodySpool]>([:])

    /// The limit is that of each body's buffer, in bytes.
    init(limit: Int64) { self.limit = limit }

    /// Standard input from the program's start; throws `requestBodyStreamExhausted` if it is gone.
    func standardInput(joinsLines: Bool = false) throws(URLError) -> any HTTPBodyStream {
        try stream(nil) { () throws(URLError) in
            let stream = DescriptorBodyStream(STDIN_FILENO)
            return joinsLines ? LineJoiningStream(stream) : stream
        }
    }

    /// Content of a FIFO or `/dev/fd/63`; throws `requestBodyStreamExhausted`, `cannotOpenFile`.
    func pipe(_ path: String) throws(URLError) -> any HTTPBodyStream {
        try stream(ExactText(path)) { () throws(URLError) in
            try DescriptorBodyStream(opening: path)
        }
    }

    private func stream(
        _ source: ExactText?,
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
    /// The body from its first byte, as a stream; throws `requestBodyStreamExhausted`, and others.
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
        if FileFacts.isSpecial(path) { return try bodies.pipe(path) }
        do {
            return try FileBodyStream(URL(filePath: AbsolutePath.of(path)))
        } catch  where error.code == .cannotOpenFile {
            return try bodies.pipe(path)
        }
    }
}

/// Several streams, read one after another.
final class JoinedStream: HTTPBodyStream {
    let contentLength: Int64?
    private let rest: Mutex<ArraySlice<any HTTPBodyStream>>

    init(_ streams: [any HTTPBodyStream]) {
        contentLength = streams.reduce(0) { sum, stream in
            guard let sum, let length = stream.contentLength else { return nil }
            return sum.adding(clamping: length)
        }
        rest = Mutex(streams[...])
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try rest.withLock { rest throws(URLError) in
            while let stream = rest.first {
                let read = try stream.read(into: space)
                guard read == .end else { return read }
                rest.removeFirst()
            }
            return .end
        }
    }
}

/// A stream without CR, LF and NUL bytes, as curl sends `-d @FILE`.
final class LineJoiningStream: HTTPBodyStream {
    private let source: any HTTPBodyStream

    init(_ source: any HTTPBodyStream) { self.source = source }

    /// Unknown until the source was read completely.
    var contentLength: Int64? { nil }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        while true {
            let read = try source.read(into: space)
            guard case .bytes(let count) = read else { return read }
            var kept = 0
            for index in 0..<count where !Self.isDropped(space[index]) {
                space[kept] = space[index]
                kept += 1
            }
            if kept > 0 { return .bytes(kept) }
        }
    }

    func seek(to offset: Int64) -> Bool { offset == 0 && source.seek(to: 0) }

    /// Whether curl drops the byte.
    static func isDropped(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }
}
