/// A variable's value.
enum WriteOutValue: Equatable, Sendable {
    case number(Int64)
    /// A status of three digits, which is 0 where there is none.
    case status(Int)
    /// Printed as seconds with six digits behind the point.
    case time(microseconds: Int64)
    /// `nil`: there is none.
    case text(String?)

    /// As `%{name}` prints it.
    var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .status(let status): String(String(1_000 + status).dropFirst())
        case .time(let microseconds): EventValue.decimal(microseconds)
        case .text(let text): text ?? ""
        }
    }

    /// As `%{json}` has it.
    var json: EventValue {
        switch self {
        case .number(let number): .number(number)
        case .status(let status): .number(Int64(status))
        case .time(let microseconds): .seconds(microseconds: microseconds)
        case .text(let text): text.map(EventValue.plain) ?? .none
        }
    }
}
