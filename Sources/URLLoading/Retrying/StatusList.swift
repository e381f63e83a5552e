/// Statuses of HTTP, such as `404,410-412`.
package struct StatusList: Equatable, Sendable {
    private var ranges: [ClosedRange<Int>] = []

    /// No status, or these.
    package init(_ statuses: [Int] = []) {
        ranges = statuses.map { $0...$0 }
    }

    /// Adds the statuses from one to another.
    package mutating func add(_ statuses: ClosedRange<Int>) {
        ranges.append(statuses)
    }

    package func contains(_ status: Int) -> Bool {
        ranges.contains { $0.contains(status) }
    }
}
