import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// Metrics of tasks that a transfer process carries out.
@Suite("Background sessions and metrics", .timeLimit(.minutes(2)))
struct BackgroundMetricsTests {
    private let fixture: BackgroundSession
    private let mayGo = Gate()
    private let server: SocketServer

    init() throws {
        fixture = try BackgroundSession()
        server = try SocketServer { [mayGo] connection in
            let head = try connection.readHead()
            switch head.target {
            case "/moved": try connection.respond("302 Found", ["Location: /file"])
            case "/delayed":
                try mayGo.wait()
                try connection.respond(body: "whole")
            default: try connection.respond(body: "whole")
            }
        }
    }

    private func request(_ path: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: server.url(path))))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("one", forHTTPHeaderField: "X-Name")
        return request
    }

    @Test("T-16 the transfer process's metrics are reported once, before the end")
    func attached() async throws {
        let delegate = BackgroundDelegate()
        let session = try fixture.openReal(delegate)
        session.downloadTask(with: try request("/moved")).resume()
        #expect(await eventually { delegate.has(.completed(1, nil)) })
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.metrics.count == 1)
        let reported = try #require(delegate.metrics.first)
        #expect(!reported.isLate)
        #expect(reported.metrics.redirectCount == 1)
        #expect(reported.metrics.taskInterval.duration > 0)
        let transactions = reported.metrics.transactionMetrics
        #expect(transactions.map { $0.request.url?.path } == ["/moved", "/file"])
        let statuses = transactions.map { ($0.response as? HTTPURLResponse)?.statusCode }
        #expect(statuses == [302, 200])
        let last = try #require(transactions.last)
        #expect(last.resourceFetchType == .networkLoad)
        #expect(last.networkProtocolName == "http/1.1")
        #expect(last.countOfResponseBodyBytesReceived == 5)
        #expect(last.remoteAddress == "127.0.0.1")
        let (began, ended) = (last.requestStartDate, last.responseEndDate)
        #expect(try #require(began) <= #require(ended))
        #expect(last.request.value(forHTTPHeaderField: "X-Name") == "one")
        // Credentials stay in the transfer process.
        #expect(last.request.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("T-16 metrics of tasks that ended unattended are reported to the next program")
    func away() async throws {
        let first = BackgroundDelegate()
        let session = try fixture.openReal(first)
        session.downloadTask(with: try request("/delayed")).resume()
        #expect(await eventually { server.requestCount == 1 })
        let process = try #require(session.transferProcess)
        session.detach()
        #expect(await eventually { first.isInvalid })
        mayGo.open()
        // Without work and without a client, the process ends.
        #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(process)") })
        let second = BackgroundDelegate()
        let next = try fixture.openReal(second)
        #expect(await eventually { second.has(.completed(1, nil)) })
        next.finishTasksAndInvalidate()
        #expect(await eventually { second.isInvalid })
        #expect(first.metrics.isEmpty)
        #expect(second.metrics.map(\.task) == [1])
        let transactions = second.metrics.first?.metrics.transactionMetrics
        #expect(transactions?.map { $0.request.url?.path } == ["/delayed"])
        #expect(transactions?.first?.countOfResponseBodyBytesReceived == 5)
    }

    @Test("T-16 a session that collects no metrics reports none")
    func unwanted() async throws {
        let delegate = BackgroundDelegate()
        let session = try fixture.openReal(delegate) { $0.transport.collectsMetrics = false }
        session.downloadTask(with: try request("/file")).resume()
        #expect(await eventually { delegate.has(.completed(1, nil)) })
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.metrics.isEmpty)
    }

    @Test("T-16 an end from an earlier version's journal is reported without metrics")
    func earlier() throws {
        let text = #"{"event":{"sequence":1,"event":{"completed":{"task":1}}}}"#
        let record = try JSONDecoder().decode(JournalRecord.self, from: Data(text.utf8))
        let event = BackgroundEvent.completed(task: 1, error: nil, response: nil)
        #expect(record == .event(sequence: 1, event: event))
        #expect(StoredMetrics(stored: "{}") == nil)
    }

    @Test("T-16 metrics of all attempts are combined, with the last ones if there are many")
    func tries() throws {
        var hop = HopMetrics()
        hop.begun = .max
        hop.waited = .max
        hop.end = .max
        hop.responseStart = .max
        let transaction = URLSessionTaskTransactionMetrics(try request("/file"), nil, hop, nil)
        let made = URLSessionTaskMetrics(
            [transaction],
            taskInterval: DateInterval(),
            redirectCount: 0
        )
        var stored = StoredMetrics(made, made: 1) { _ in false }
        for _ in 0..<100 {
            var next = StoredMetrics(made, made: 1) { _ in false }
            next.prepend(stored)
            stored = next
        }
        let text = try #require(stored.stored)
        let reported = try #require(StoredMetrics(stored: text)).metrics
        #expect(reported.transactionMetrics.count == 50)
        // Numbers whose sum overflows do not crash the program.
        #expect(reported.transactionMetrics.first?.responseEndDate != nil)
    }

    /// Metrics of a task with requests and responses of these lengths, bytes.
    private func metrics(
        _ count: Int,
        request: Int,
        response: Int
    ) throws -> URLSessionTaskMetrics {
        let transactions = try (0..<count).map { number in
            let path = "/\(number)/" + String(repeating: "x", count: request)
            let sent = try self.request(path)
            let url = try #require(sent.url)
            let response = HTTPURLResponse(
                url: url,
                statusCode: 302,
                httpVersion: "HTTP/1.1",
                headerFields: ["X-Long": String(repeating: "y", count: response)]
            )
            return URLSessionTaskTransactionMetrics(sent, response, HopMetrics(), nil)
        }
        return URLSessionTaskMetrics(
            transactions,
            taskInterval: DateInterval(),
            redirectCount: count - 1
        )
    }

    @Test(
        "T-16 metrics too long for a frame lose the response fields, then the first requests",
        arguments: [
            (count: 5, request: 10, response: 1_000, kept: 5, hasFields: true),
            (count: 21, request: 10, response: 100_000, kept: 21, hasFields: false),
            (count: 5, request: 20_000, response: 100_000, kept: 3, hasFields: false),
            (count: 1, request: 500_000, response: 10, kept: 0, hasFields: false),
        ]
    )
    func long(
        _ count: Int,
        _ request: Int,
        _ response: Int,
        _ kept: Int,
        _ hasFields: Bool
    )
        throws
    {
        let long = try metrics(count, request: request, response: response)
        var stored = StoredMetrics(long, made: 1) { _ in false }
        let text = try #require(stored.stored)
        #expect(text.utf8.count < 129 << 10)
        let reported = try #require(StoredMetrics(stored: text)).metrics
        #expect(reported.redirectCount == count - 1)
        let transactions = reported.transactionMetrics
        #expect(transactions.count == kept)
        let numbers = transactions.map { $0.request.url?.pathComponents[1] }
        #expect(numbers == (0..<count).suffix(kept).map { "\($0)" })
        for transaction in transactions {
            let response = try #require(transaction.response as? HTTPURLResponse)
            #expect(response.statusCode == 302)
            #expect((response.value(forHTTPHeaderField: "X-Long") != nil) == hasFields)
        }
        // Each attempt is below the limit, but all attempts together are not.
        for _ in 0..<20 {
            var next = StoredMetrics(long, made: 1) { _ in false }
            next.prepend(stored)
            stored = next
        }
        #expect(try #require(stored.stored).utf8.count < 129 << 10)
    }
}
