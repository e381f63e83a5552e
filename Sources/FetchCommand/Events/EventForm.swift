/// How events are written.
enum EventForm: Sendable {
    /// A line for people.
    case text
    /// An object a line: NDJSON.
    case json

    /// A record with its line end.
    ///
    /// No user or password of a URL is in it, and nothing that a terminal would obey.
    func line(_ record: EventRecord) -> [UInt8] {
        switch self {
        case .json:
            var json = JSONText()
            json.append(.object(record.members, summary: ""))
            return json.bytes + [UInt8(ascii: "\n")]
        case .text: return Array((words(record) + "\n").utf8)
        }
    }

    /// A record in a line for people, or in the lines that a message has.
    ///
    /// `* task 1 didWriteData: 512, totalBytesWritten: 512`; the first argument's label is in the
    /// name, as in the call.
    func words(_ record: EventRecord) -> String {
        switch record {
        case .message(let text, _, _): return text
        case .dropped(let count, _): return "* \(count) lines dropped: nobody read them in time"
        case .call(let event):
            var line = "* \(event.task.map { "task \($0)" } ?? "session") \(event.name.rawValue)"
            var more = ""
            for (index, argument) in event.arguments.enumerated() {
                if case .lines(let values) = argument.value {
                    more += values.map { "\n    " + Printable.text($0.text) }.joined()
                    continue
                }
                line += index == 0 ? ": " : ", \(argument.label): "
                line += Printable.text(argument.value.text)
            }
            return line + (event.calls > 1 ? " (\(event.calls) calls)" : "") + more
        }
    }
}
