import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// Tasks with several transactions, and with those of caches and proxies.
@Suite("Transactions in metrics", .timeLimit(.minutes(2)))
struct TransactionMetricsTests: MetricsSuite {
    let nginx: Nginx

    init() throws {
        nginx = try Nginx.shared
    }

    @Test("T-16 each redirect is a transaction")
    func redirects() async throws {
        let delegate = MetricsDelegate()
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let metrics = try await metrics(
            of: session.dataTask(with: try url(nginx.url("/redirect/chain/3"))),
            delegate
        )
        #expect(metrics.redirectCount == 3)
        let statuses = metrics.transactionMetrics.map {
            ($0.response as? HTTPURLResponse)?.statusCode
        }
        #expect(statuses == [302, 302, 302, 200])
        #expect(
            metrics.transactionMetrics.map { $0.request.url?.path } == [
                "/redirect/chain/3", "/redirect/chain/2", "/redirect/chain/1",
                "/redirect/chain/0",
            ]
        )
        #expect(metrics.transactionMetrics.map(\.isReusedConnection) == [false, true, true, true])
        #expect(areOrdered(metrics.transactionMetrics.map(\.fetchStartDate)))
    }

    @Test("T-16 a refusal before a credential is a transaction too")
    func authentication() async throws {
        let user = URLCredential(user: "name", password: "secret", persistence: .none)
        let delegate = MetricsDelegate(user)
        let session = try session(delegate)
        defer { session.finishTasksAndInvalidate() }
        let metrics = try await metrics(
            of: session.dataTask(with: try url(nginx.url("/private/hello.txt"))),
            delegate
        )
        #expect(metrics.redirectCount == 0)
        let all = metrics.transactionMetrics
        #expect(all.map { ($0.response as? HTTPURLResponse)?.statusCode } == [401, 200])
        #expect(all.first?.request.headerFields["Authorization"] == nil)
        #expect(all.last?.request.headerFields["Authorization"]?.hasPrefix("Basic ") == true)
    }

    @Test("T-16 a response of the cache is a transaction, and its validation another")
    func stored() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let age = head.target == "/fresh" ? "max-age=600" : "max-age=0"
                let fields = ["Cache-Control: \(age)", "ETag: \"one\""]
                if head["If-None-Match"] != nil {
                    try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\n\r\n")
                } else {
                    try connection.respond("200 OK", fields, body: "body")
                }
            }
        }
        let delegate = MetricsDelegate()
        let session = try session(delegate) { configuration in
            configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
            configuration.transport.recordsHeads = true
        }
        defer { session.finishTasksAndInvalidate() }
        for path in ["/fresh", "/stale"] {
            let target = try url(server.url(path))
            let first = try await metrics(of: session.dataTask(with: target), delegate)
            #expect(first.transactionMetrics.map(\.resourceFetchType) == [.networkLoad])
            let again = try await metrics(of: session.dataTask(with: target), delegate)
            let all = again.transactionMetrics
            #expect(
                all.map(\.resourceFetchType)
                    == (path == "/fresh" ? [.localCache] : [.networkLoad, .localCache])
            )
            #expect(all.last?.countOfResponseBodyBytesReceived == 0)
            #expect(all.last?.countOfResponseBodyBytesAfterDecoding == 4)
            #expect(all.last?.connectStartDate == nil)
            #expect(all.last?.requestStartDate == nil)
            #expect(all.last?.isReusedConnection == false)
            #expect(
                areOrdered([
                    all.last?.fetchStartDate, all.last?.responseStartDate,
                    all.last?.responseEndDate,
                ])
            )
            let statuses = all.map { ($0.response as? HTTPURLResponse)?.statusCode }
            #expect(statuses == (path == "/fresh" ? [200] : [304, 200]))
        }
        #expect(delegate.heads.matches(of: /HTTP\/1/).count == 5)
    }

    @Test("T-16 a request through a proxy names it, and a refused tunnel is its response")
    func proxies() async throws {
        let squid = try Squid.shared
        let delegate = MetricsDelegate()
        let open = try session(delegate) { $0.transport.proxy = .url(squid.url(.open)) }
        defer { open.finishTasksAndInvalidate() }
        for address in [nginx.url("/echo/metrics-proxy"), nginx.tlsURL("/echo/metrics-proxy")] {
            let metrics = try await metrics(of: open.dataTask(with: try url(address)), delegate)
            let one = try #require(metrics.transactionMetrics.first)
            #expect(one.isProxyConnection)
            #expect(one.remotePort == squid.port(.open))
            #expect(one.hop.connectStatus == (address.hasPrefix("https") ? 200 : 0))
        }
        let closed = try session(delegate) { $0.transport.proxy = .url(squid.url(.basic)) }
        defer { closed.finishTasksAndInvalidate() }
        let metrics = try await metrics(
            of: closed.dataTask(with: try url(nginx.tlsURL("/echo/metrics-proxy"))),
            delegate
        )
        let one = try #require(metrics.transactionMetrics.first)
        #expect((one.response as? HTTPURLResponse)?.statusCode == 407)
        #expect(one.requestStartDate == nil)
    }
}
