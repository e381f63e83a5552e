extension TaskKind {
    /// Where the result goes.
    var destination: Destination {
        switch self {
        case .download(let destination), .upload(let destination), .head(let destination):
            destination
        case .data: .standardOutput
        case .auto(let file): .automatic(file)
        }
    }

    /// The file that the answer's body goes to, if it is one.
    var file: FileDestination? {
        switch self {
        case .download(to: .file(let file)), .upload(responseTo: .file(let file)): file
        case .download, .upload, .head, .data, .auto: nil
        }
    }

    /// The file that the answer's body goes to, or may go to.
    var possibleFile: FileDestination? {
        if case .automatic(let file) = destination { file } else { file }
    }
}
