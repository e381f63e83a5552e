/// A part of a form, its file looked at.
struct FormPart: Equatable, Sendable {
    let name: String
    let filename: String?
    /// Free of CR, LF and NUL.
    let contentType: String?
    let content: BodySegment
}
