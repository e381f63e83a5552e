/// How often a download is tried, and how long it waits in between.
struct Tries {
    /// The wait grows with each try, and no further than this.
    private static let longestWait = 10

    /// `nil`: without end.
    private let limit: Int?
    /// In a row, without anything new.
    private var failed = 0

    init(limit: Int?) {
        self.limit = limit
    }

    /// Takes note of a try that failed.
    ///
    /// - Parameter hasProgressed: whether it brought more of the file than was there before.
    /// - Returns: how long to wait for the next one; `nil`: there is none.
    mutating func next(hasProgressed: Bool) -> Duration? {
        failed = hasProgressed ? 1 : failed + 1
        if let limit, failed >= limit { return nil }
        return .seconds(min(failed, Self.longestWait))
    }
}
