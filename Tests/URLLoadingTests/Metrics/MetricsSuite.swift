import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// A suite whose tests run tasks and compare their metrics.
protocol MetricsSuite {
    var nginx: Nginx { get }
}

extension MetricsSuite {
    /// Runs a task to its end.
    func metrics(
        of task: URLSessionTask,
        _ delegate: MetricsDelegate,
        whileRunning: () async -> Void = {}
    ) async throws -> URLSessionTaskMetrics {
        let before = delegate.metrics.count
        func ends() -> Int { delegate.calls.count { $0 == "completed" } }
        let endsBefore = ends()
        task.resume()
        await whileRunning()
        #expect(await eventually { ends() > endsBefore })
        #expect(delegate.metrics.count == before + 1)
        return try #require(delegate.metrics.last)
    }

    func session(
        _ delegate: MetricsDelegate,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        try URLSession.testing(delegate, change)
    }

    /// Whether the reached times are in order, and none between them is missing.
    func areOrdered(_ dates: [Date?]) -> Bool {
        let known = dates.compactMap(\.self)
        return known.count == dates.count && known == known.sorted()
    }
}
