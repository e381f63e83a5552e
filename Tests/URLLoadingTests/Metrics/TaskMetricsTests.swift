import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Metrics of tasks", .timeLimit(.minutes(2)))
struct TaskMetricsTests: MetricsSuite {
    let nginx: Nginx

    init() throws {
        nginx = try Nginx.shared
    }

    @Test("T-16 a request has its moments in order, its bytes, and both ends of its connection")
    func oneRequest() async throws {
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let path = try nginx.addLargeFile("metrics-request", size: 100_000)
        let began = Date()
        let metrics = try await metrics(
            of: session.dataTask(with: try url(nginx.url(path))),
            delegate
        )
        #expect(metrics.redirectCount == 0)
        #expect(metrics.transactionMetrics.count == 1)
        let one = try #require(metrics.transactionMetrics.first)
        let dates = [
            metrics.taskInterval.start, one.fetchStartDate, one.domainLookupStartDate,
            one.domainLookupEndDate, one.connectStartDate, one.connectEndDate,
            one.requestStartDate, one.requestEndDate, one.responseStartDate, one.responseEndDate,
        ]
        #expect(areOrdered(dates), "\(dates)")
        #expect(metrics.taskInterval.start >= began.addingTimeInterval(-0.001))
        #expect(metrics.taskInterval.end <= Date().addingTimeInterval(0.001))
        #expect(one.secureConnectionStartDate == nil)
        #expect(one.secureConnectionEndDate == nil)
        #expect(one.negotiatedTLSProtocolVersion == nil)
        #expect(one.networkProtocolName == "http/1.1")
        #expect(one.resourceFetchType == .networkLoad)
        #expect(!one.isReusedConnection)
        #expect(!one.isProxyConnection)
        #expect(one.remoteAddress == "127.0.0.1")
        #expect(one.remotePort == nginx.httpPort)
        #expect(one.localAddress == "127.0.0.1")
        #expect((one.localPort ?? 0) > 0)
        #expect(one.countOfResponseBodyBytesReceived == 100_000)
        #expect(one.countOfResponseBodyBytesAfterDecoding == 100_000)
        #expect(one.countOfResponseHeaderBytesReceived > 100)
        #expect(one.countOfRequestHeaderBytesSent > 50)
        #expect(one.countOfRequestBodyBytesSent == 0)
        #expect((one.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(one.request.value(forHTTPHeaderField: "User-Agent") != nil)
        #expect(delegate.calls.suffix(3) == ["data", "collected", "completed"])
    }

    @Test("T-16 a request on an existing connection has no lookup and no connecting")
    func reused() async throws {
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let target = try url(nginx.url("/echo/metrics-reused"))
        _ = try await metrics(of: session.dataTask(with: target), delegate)
        let metrics = try await metrics(of: session.dataTask(with: target), delegate)
        let one = try #require(metrics.transactionMetrics.first)
        #expect(one.isReusedConnection)
        #expect(one.domainLookupStartDate == nil)
        #expect(one.domainLookupEndDate == nil)
        #expect(one.connectStartDate == nil)
        #expect(one.connectEndDate == nil)
        #expect(
            areOrdered([
                one.fetchStartDate, one.requestStartDate, one.requestEndDate,
                one.responseStartDate, one.responseEndDate,
            ])
        )
        #expect(one.remotePort == nginx.httpPort)
    }

    @Test("T-16 TLS has its moments, version and cipher suite", arguments: [false, true])
    func tls(isHTTP2: Bool) async throws {
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let path = "/echo/metrics-tls"
        let target = try url(isHTTP2 ? nginx.http2URL(path) : nginx.tls12URL(path))
        let metrics = try await metrics(of: session.dataTask(with: target), delegate)
        let one = try #require(metrics.transactionMetrics.first)
        #expect(
            areOrdered([
                one.fetchStartDate, one.domainLookupStartDate, one.domainLookupEndDate,
                one.connectStartDate, one.secureConnectionStartDate, one.secureConnectionEndDate,
                one.connectEndDate, one.requestStartDate, one.requestEndDate,
                one.responseStartDate, one.responseEndDate,
            ])
        )
        #expect(one.networkProtocolName == (isHTTP2 ? "h2" : "http/1.1"))
        #expect(one.negotiatedTLSProtocolVersion == (isHTTP2 ? .TLSv13 : .TLSv12))
        let suites: [TLSCipherSuite] =
            isHTTP2
            ? [.AES_128_GCM_SHA256, .AES_256_GCM_SHA384, .CHACHA20_POLY1305_SHA256]
            : [
                .ECDHE_RSA_WITH_AES_128_GCM_SHA256, .ECDHE_RSA_WITH_AES_256_GCM_SHA384,
                .ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, .ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
                .ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
                .ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
            ]
        #expect(one.negotiatedTLSCipherSuite.map(suites.contains) == true)
        #expect(one.hop.certificates.count >= 1)
    }

    @Test("T-16 an upload counts the sent bytes, and its response begins with its head")
    func upload() async throws {
        let mayRespond = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try mayRespond.wait()
            try connection.respond(body: "ok")
        }
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = "POST"
        let body = Data(PseudoRandom.bytes(200_000))
        let task = session.uploadTask(with: request, from: body)
        var between = Date.distantFuture
        let metrics = try await metrics(of: task, delegate) {
            #expect(await eventually { task.countOfBytesSent == 200_000 })
            between = Date()
            mayRespond.open()
        }
        let one = try #require(metrics.transactionMetrics.first)
        #expect(one.countOfRequestBodyBytesSent == 200_000)
        #expect(one.countOfRequestBodyBytesBeforeEncoding == 200_000)
        #expect(one.countOfResponseBodyBytesReceived == 2)
        let sent = try #require(one.requestEndDate)
        let responded = try #require(one.responseStartDate)
        #expect(try sent >= #require(one.requestStartDate))
        #expect(sent <= between)
        #expect(between <= responded)
    }

    @Test("T-16 a failed request has the moments that it reached")
    func failed() async throws {
        let server = try SocketServer { _ in }
        server.stop()
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let metrics = try await metrics(of: session.dataTask(with: try url(server.url())), delegate)
        let one = try #require(metrics.transactionMetrics.first)
        #expect(one.fetchStartDate != nil)
        #expect(one.connectStartDate != nil)
        #expect(one.connectEndDate == nil)
        #expect(one.requestStartDate == nil)
        #expect(one.responseStartDate == nil)
        #expect(one.responseEndDate == nil)
        #expect(one.response == nil)
        #expect(one.networkProtocolName == nil)
        #expect(!one.isReusedConnection)
        #expect(one.error?.code == .cannotConnectToHost)
        #expect(delegate.calls == ["collected", "completed"])
    }

    @Test("T-16 a task cancelled before it began has metrics too, without transactions")
    func cancelled() async throws {
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(nginx.url("/echo/metrics-cancelled")))
        task.cancel()
        #expect(await eventually { delegate.calls == ["collected", "completed"] })
        #expect(delegate.metrics.first?.transactionMetrics.isEmpty == true)
    }

    @Test("T-16 the session delivers a file before the metrics, and calls a handler last")
    func order() async throws {
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let target = try url(nginx.url("/files/hello.txt"))
        _ = try await metrics(of: session.downloadTask(with: target), delegate)
        #expect(delegate.calls == ["finished", "collected", "completed"])
        session.dataTask(with: target) { _, _, _ in delegate.note("handler") }.resume()
        #expect(await eventually { delegate.calls.last == "handler" })
        #expect(delegate.calls.suffix(2) == ["collected", "handler"])
        #expect(delegate.metrics.last?.transactionMetrics.count == 1)
        let (_, _) = try await session.bytes(from: target)
        #expect(await eventually { delegate.metrics.count == 3 })
    }

    @Test("a task without a delegate collects no metrics", arguments: [true, false])
    func unwanted(hasDelegate: Bool) async throws {
        let delegate = MetricsDelegate()
        let session = try URLSession.testing(hasDelegate ? delegate : nil) {
            if hasDelegate { $0.transport.collectsMetrics = false }
        }
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(nginx.url("/echo/metrics-unwanted")))
        task.resume()
        #expect(await eventually { task.state == .completed })
        let (data, _) = try await session.data(from: try url(nginx.url("/echo/metrics-unwanted")))
        #expect(!data.isEmpty)
        #expect(!delegate.calls.contains("collected"))
        let metrics = task.locked.withLock { $0.metrics }
        #expect(metrics.metrics(since: 0, redirects: 0).transactionMetrics.isEmpty)
    }
}
