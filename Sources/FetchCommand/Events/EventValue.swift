import URLLoading

/// What an event tells, for text and for JSON alike.
enum EventValue: Sendable {
    case none
    case number(Int64)
    /// Bytes since the call before; those of several calls add up.
    case amount(Int64)
    /// A time in seconds, six digits behind the point.
    case seconds(microseconds: Int64)
    /// A time in milliseconds, three digits behind the point.
    case milliseconds(microseconds: Int64)
    /// From wherever it came: users and passwords of URLs are taken out when it is written.
    case text(String)
    /// Words that hold no secret: our own, or a path of this machine.
    case plain(String)
    case flag(Bool)
    case list([EventValue])
    /// The same, each on a line of its own where it is for people.
    case lines([EventValue])
    /// A thing with members; `summary` is what a line of text says of it, without secrets.
    case object([EventMember], summary: String)

    /// The value in a line of text, without secrets, but with whatever a terminal would obey.
    var text: String {
        switch self {
        case .none: "nil"
        case .number(let number), .amount(let number): "\(number)"
        case .seconds(let microseconds): Self.decimal(microseconds)
        case .milliseconds(let microseconds): Self.decimal(milli: microseconds)
        case .text(let text): UserInfo.redacted(in: text)
        case .plain(let text): text
        case .flag(let flag): "\(flag)"
        case .list(let values), .lines(let values): values.map(\.text).joined(separator: ", ")
        case .object(_, let summary): summary
        }
    }

    /// Microseconds as seconds: `12.000345`.
    static func decimal(_ microseconds: Int64) -> String {
        let digits = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        return "\(microseconds / 1_000_000).\(digits)"
    }

    /// Microseconds as milliseconds: `12.345`.
    private static func decimal(milli microseconds: Int64) -> String {
        let digits = String(1_000 + microseconds % 1_000).dropFirst()
        return "\(microseconds / 1_000).\(digits)"
    }
}
