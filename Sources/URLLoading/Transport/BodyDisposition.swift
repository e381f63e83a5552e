/// What becomes of a hop's answer.
enum BodyDisposition: Sendable {
    /// Not decided yet; the body is held back.
    case hold
    /// Read and forget it, so that its connection can serve again; end early where it is long.
    case discard
    /// Hand it on in pieces.
    case deliver
    /// Gather it in memory, and hand it on at the end.
    case collect
    /// Write it to a file.
    case write(DownloadDestination, Continuation? = nil)
    /// Write it to its place in a file that other answers are written to, too.
    case fill(SplitStream)
    /// Do this, and record it for the cache.
    indirect case recorded(BodyDisposition, CacheRecorder)
    /// Do this, and see that it comes to what the caller expects.
    indirect case checked(BodyDisposition, ExpectedDigest)

    /// Whether somebody gets the body.
    var isUse: Bool {
        switch self {
        case .hold, .discard, .write(_, .nothing): false
        case .deliver, .collect, .write, .fill: true
        case .recorded(let disposition, _), .checked(let disposition, _): disposition.isUse
        }
    }

    /// Whether it is word that a file is whole as it is.
    var isComplete: Bool {
        switch self {
        case .write(_, .nothing): true
        case .checked(let disposition, _): disposition.isComplete
        case .hold, .discard, .deliver, .collect, .write, .fill, .recorded: false
        }
    }

    /// What an answer is to the bytes of a file that are there.
    enum Continuation: Sendable {
        /// These, which follow them; the length of the whole, where it is known.
        case rest(ResumePoint, ClosedRange<Int64>, total: Int64?)
        /// Word that nothing follows them.
        case nothing(ResumePoint)

        var point: ResumePoint {
            switch self {
            case .rest(let point, _, _), .nothing(let point): point
            }
        }
    }
}
