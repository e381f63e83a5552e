/// Why a file that has a body's name stays, as `--no-clobber` has it.
enum KeptFile: Sendable {
    /// It was there before anything of the body was read.
    case found
    /// Another task of the run is fetching it; that one says what comes of it.
    case isUnderWay
    /// It came to be while the body came, which is dropped.
    case cameMeanwhile
}
