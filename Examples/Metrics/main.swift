// Shows a task's metrics: one transaction for each sent request, including redirects, with its protocol,
// its connection, its bytes and its times.
// Run: swift run Metrics URL…

import FoundationEssentials
import URLLoading

final class Meter: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        print("task \(task.taskIdentifier): \(metrics.redirectCount) redirects")
        for transaction in metrics.transactionMetrics {
            let path = transaction.request.url?.path ?? ""
            let status = (transaction.response as? HTTPURLResponse)?.statusCode ?? 0
            let connection = transaction.isReusedConnection ? "reused" : "new"
            let name = transaction.networkProtocolName ?? "none"
            let bytes = transaction.countOfResponseBodyBytesReceived
            print("  \(path): \(status), \(name), \(connection), \(bytes) bytes")
            let spans: [(name: String, start: Date?, end: Date?)] = [
                ("look-up", transaction.domainLookupStartDate, transaction.domainLookupEndDate),
                ("connect", transaction.connectStartDate, transaction.connectEndDate),
                ("request", transaction.requestStartDate, transaction.requestEndDate),
                ("wait", transaction.requestEndDate, transaction.responseStartDate),
                ("response", transaction.responseStartDate, transaction.responseEndDate),
            ]
            for span in spans {
                guard let start = span.start, let end = span.end else { continue }
                print("    \(span.name): \(Int(end.timeIntervalSince(start) * 1_000_000)) µs")
            }
        }
    }
}

let session = URLSession(configuration: .ephemeral, delegate: Meter(), delegateQueue: nil)
for url in CommandLine.arguments.dropFirst().compactMap({ URL(string: $0) }) {
    // The session's delegate receives the metrics of this task too.
    _ = try await session.data(from: url)
}
session.finishTasksAndInvalidate()
