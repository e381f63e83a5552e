extension TaskKind {
    /// Where the result goes.
    var destination: Destination {
        switch self {
        case .download(let destination), .upload(let destination), .head(let destination):
            destination
        case .data: .standardOutput
        }
    }

    /// The file that the answer's body goes to, if it is one.
    var file: FileDestination? {
        switch self {
        case .download(to: .file(let file)), .upload(responseTo: .file(let file)): file
        case .download, .upload, .head, .data: nil
        }
    }
}
