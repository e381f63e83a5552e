/// Statuses of HTTP, such as `404,410-412`.
struct StatusList: Equatable, Sendable {
    private var ranges: [ClosedRange<Int>] = []

    /// No status, or these.
    init(_ statuses: [Int] = []) {
        ranges = statuses.map { $0...$0 }
    }

    /// Adds what a flag lists.
    mutating func add(_ value: FlagValue) throws(UsageError) {
        for item in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = item.split(separator: "-", omittingEmptySubsequences: false).map(Self.status)
            switch (ends.first ?? nil, ends.last ?? nil) {
            case (let first?, let last?) where ends.count <= 2 && first <= last:
                ranges.append(first...last)
            default:
                throw value.invalid(
                    "is not a list of statuses",
                    hint: "write it as 404 or 404,410-412; a status has three digits"
                )
            }
        }
    }

    private static func status(_ text: Substring) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let status = Int(text), status >= 100
        else { return nil }
        return status
    }

    func contains(_ status: Int) -> Bool {
        ranges.contains { $0.contains(status) }
    }
}
