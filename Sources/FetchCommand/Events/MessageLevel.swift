/// How grave a message is.
enum MessageLevel: String, CaseIterable, Sendable {
    case error
    case warning
    case note
}
