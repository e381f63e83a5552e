import URLLoading

/// One task: everything about it is decided, nothing was sent.
struct TaskPlan: Equatable, Sendable {
    var kind: TaskKind
    let method: HTTPMethod
    let address: WebAddress
    /// The lines to send, defaults included; several of one name stay several.
    let headers: [HeaderField]
    /// Names that must not be sent, though a layer below would send them by default.
    let removedHeaders: [String]
    let body: BodyPlan
    /// What stands on the request line in the place of the address's path and query.
    let requestTarget: String?
    /// Who one is at the URL's own origin, and nowhere else.
    let identity: Identity
    /// What a list says that the body has to come to.
    var expected: ExpectedDigest?

    /// The same, with a file that stays beside one that has the name.
    func numbered(_ file: FileDestination) -> TaskPlan {
        var task = self
        var numbered = file
        numbered.ifExists = .number
        if case .upload = kind {
            task.kind = .upload(responseTo: .file(numbered))
        } else {
            task.kind = .download(to: .file(numbered))
        }
        return task
    }
}
