import Glibc
import Synchronization
import URLLoading

/// The bodies that can be read once, such as standard input: each is kept while it is sent, so that it
/// can be sent again.
final class OneWayBodies: Sendable {
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

    /// Standard input, from where it stood when the program started.
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

    /// What is behind a path that is no regular file: a FIFO, or `/dev/fd/63` of a shell.
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
