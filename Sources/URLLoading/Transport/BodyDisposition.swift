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
    /// Do this, and record it for the cache.
    indirect case recorded(BodyDisposition, CacheRecorder)

    /// Whether somebody gets the body.
    var isUse: Bool {
        switch self {
        case .hold, .discard, .write(_, .nothing): false
        case .deliver, .collect, .write: true
        case .recorded(let disposition, _): disposition.isUse
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
