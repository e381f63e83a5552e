/// How a program is told of events.
enum EventFormat: String, CaseIterable, Sendable {
    /// An object a line: NDJSON.
    case json
}
