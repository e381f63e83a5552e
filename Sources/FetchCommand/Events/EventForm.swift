enum EventForm: Sendable {
    case text
    /// One JSON object a line: NDJSON.
    case json

    /// A record with its line end; users, passwords and control characters are replaced.
    func line(_ record: EventRecord) -> [UInt8] {
        switch self {
        case .json:
            JSONText(.object(record.members, summary: "")).bytes + [UInt8(ascii: "\n")]
        case .text: Array((words(record) + "\n").utf8)
        }
    }

    /// A record as one line of text, or as the lines of a message.
    ///
    /// `* task 1 didWriteData: 512, totalBytesWritten: 512`: the event's name includes the label of
    /// the first argument, as in the delegate's method.
    func words(_ record: EventRecord) -> String {
        switch record {
        case .message(let text, _, _): return text
        case .dropped(let count, _): return "* \(count) lines dropped: the reader was too slow"
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

/// A JSON text ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)) without line ends.
///
/// Not `JSONEncoder`, because the order of members is for human readers, and because control
/// characters in strings from servers must be escaped too.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    init(_ value: EventValue) { append(value) }

    private mutating func append(_ value: EventValue) {
        switch value {
        case .none: append(raw: "null")
        case .number(let number), .amount(let number): append(raw: "\(number)")
        case .seconds(let microseconds): append(raw: EventValue.decimal(microseconds))
        case .milliseconds: append(raw: value.text)
        case .text, .plain: append(string: value.text)
        case .flag(let flag): append(raw: "\(flag)")
        case .list(let values), .lines(let values):
            append(raw: "[")
            for (index, value) in values.enumerated() {
                if index > 0 { append(raw: ",") }
                append(value)
            }
            append(raw: "]")
        case .object(let members, _):
            append(raw: "{")
            for (index, member) in members.enumerated() {
                if index > 0 { append(raw: ",") }
                append(string: member.label)
                append(raw: ":")
                append(member.value)
            }
            append(raw: "}")
        }
    }

    private mutating func append(string: String) {
        append(raw: "\"")
        if string.unicodeScalars.contains(where: Self.mustBeEscaped) {
            for scalar in string.unicodeScalars { append(scalar) }
        } else {
            append(raw: string)
        }
        append(raw: "\"")
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append(raw: "\\\"")
        case "\\": append(raw: "\\\\")
        case "\n": append(raw: "\\n")
        // All escaped scalars are in the Basic Multilingual Plane, so four digits suffice.
        case _ where Self.mustBeEscaped(scalar):
            let digits = String(0x1_0000 + scalar.value, radix: 16).dropFirst()
            append(raw: "\\u\(digits)")
        default: bytes.append(contentsOf: scalar.utf8)
        }
    }

    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\\" || Printable.isHarmful(scalar)
    }

    private mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }
}

extension EventValue {
    var jsonText: String { String(decoding: JSONText(self).bytes, as: UTF8.self) }
}
