import URLLoading

extension StatusList {
    /// Adds what a flag lists.
    mutating func add(_ value: FlagValue) throws(UsageError) {
        for item in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = item.split(separator: "-", omittingEmptySubsequences: false).map(Self.status)
            switch (ends.first ?? nil, ends.last ?? nil) {
            case (let first?, let last?) where ends.count <= 2 && first <= last:
                add(first...last)
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
}
