/// Where a body goes.
enum Destination: Equatable, Sendable {
    case standardOutput
    /// To standard output, unless the answer is one to be kept: then to a file, as a download.
    case automatic(FileDestination)
    /// To a file, whole or not at all.
    case file(FileDestination)
    /// To what is no regular file, such as `/dev/null` or a pipe: opened and written, never replaced.
    case device(path: String)
}
