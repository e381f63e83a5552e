/// One task: everything about it is decided, nothing was sent.
struct TaskPlan: Equatable, Sendable {
    let kind: TaskKind
    let method: HTTPMethod
    let address: WebAddress
    /// The lines to send, defaults included; several of one name stay several.
    let headers: [HeaderField]
    /// Names that must not be sent, though a layer below would send them by default.
    let removedHeaders: [String]
    let body: BodyPlan
    /// Who one is at the URL's own origin, and nowhere else.
    let identity: Identity
}
