/// How far a task is: a reading, which does not change afterwards.
///
/// It has the names of Foundation's `Progress`, which lives in the large Foundation only.
public struct URLSessionTaskProgress: Sendable, Hashable {
    /// Bytes done, sent and received.
    public let completedUnitCount: Int64
    /// Bytes to do in all; −1 where either length is not known.
    public let totalUnitCount: Int64
    /// Whether the task has ended.
    public let isFinished: Bool

    init(sent: URLSessionTask.ByteCount, received: URLSessionTask.ByteCount, isFinished: Bool) {
        completedUnitCount = Self.sum(sent.total, received.total)
        let isKnown = sent.expected >= 0 && received.expected >= 0
        totalUnitCount = isKnown ? Self.sum(sent.expected, received.expected) : -1
        self.isFinished = isFinished
    }

    /// A server may announce as much as fits into a number.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooLarge) = one.addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    /// Whether there is no telling how much is left.
    public var isIndeterminate: Bool { totalUnitCount < 0 }

    /// The share that is done, 0 to 1; 0 while it is indeterminate, 1 at the end.
    public var fractionCompleted: Double {
        if isFinished { return 1 }
        guard totalUnitCount > 0 else { return 0 }
        return min(1, Double(completedUnitCount) / Double(totalUnitCount))
    }
}
