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
    case write(DownloadDestination)
}
