import Testing

@testable import URLLoading

@Suite("How far a task is")
struct TaskProgressTests {
    private func progress(
        sent: URLSessionTask.ByteCount,
        received: URLSessionTask.ByteCount
    ) -> URLSessionTaskProgress {
        URLSessionTaskProgress(sent: sent, received: received, isFinished: false)
    }

    @Test("both ways count together, and nothing is known where one is not")
    func together() {
        let half = progress(
            sent: .init(total: 10, expected: 10),
            received: .init(total: 20, expected: 50)
        )
        #expect(half.completedUnitCount == 30)
        #expect(half.totalUnitCount == 60)
        #expect(half.fractionCompleted == 0.5)
        let unknown = progress(sent: .init(total: 0, expected: 0), received: .init(total: 20))
        #expect(unknown.isIndeterminate)
        #expect(unknown.fractionCompleted == 0)
    }

    @Test("a server may announce as much as fits into a number, though something was sent, too")
    func bounds() {
        let all = progress(
            sent: .init(total: 10, expected: 10),
            received: .init(total: .max, expected: .max)
        )
        #expect(all.completedUnitCount == .max)
        #expect(all.totalUnitCount == .max)
        #expect(all.fractionCompleted == 1)
    }
}
