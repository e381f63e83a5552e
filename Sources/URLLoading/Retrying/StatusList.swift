/// Statuses of HTTP, such as 404 and 410 to 412.
public struct StatusList: Equatable, Sendable {
    private var ranges: [ClosedRange<Int>] = []

    /// No status, or these.
    public init(_ statuses: [Int] = []) {
        ranges = statuses.map { $0...$0 }
    }

    /// Adds the statuses from one to another.
    public mutating func add(_ statuses: ClosedRange<Int>) {
        ranges.append(statuses)
    }

    /// Whether a status is one of them.
    public func contains(_ status: Int) -> Bool {
        ranges.contains { $0.contains(status) }
    }
}
