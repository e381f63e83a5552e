/// What is made of a URL.
enum TaskKind: Equatable, Sendable {
    /// A download task; never `.standardOutput`.
    case download(to: Destination)
    /// A data task, its body to standard output.
    case data
    /// A data task, its body to standard output unless the answer makes it a download to this file.
    case auto(FileDestination)
    /// An upload task; its body is the plan's.
    case upload(responseTo: Destination)
    /// A data task of which the response's header is the result, in lines; a body is not read.
    case head(to: Destination)
}
