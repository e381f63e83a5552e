import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Downloads in several streams, and what they keep.
@Suite("Downloads in several streams", .timeLimit(.minutes(2)))
struct SplitDownloadTests {
    private let stage: SplitStage

    init() throws {
        stage = try SplitStage()
    }

    enum Server: CaseIterable {
        case nginx
        case nginxOverTLS
        case nginxOverHTTP2
        case apache
        case apacheOverTLS
    }

    @Test("T-07 a download uses several streams from real servers", arguments: Server.allCases)
    func realServers(server: Server) async throws {
        let name = "split-\(server)"
        let address: String
        switch server {
        case .nginx, .nginxOverTLS, .nginxOverHTTP2:
            let nginx = try Nginx.shared
            try nginx.addFile(name, bytes: stage.bytes)
            // One stream alone would take longer than parts take to begin.
            let path = "/slow/\(name)?rate=1000000"
            address =
                switch server {
                case .nginx: nginx.url(path)
                case .nginxOverTLS: nginx.tlsURL(path)
                default: nginx.http2URL(path)
                }
        case .apache, .apacheOverTLS:
            let apache = try Apache.shared
            try stage.folder.write(stage.bytes, to: name)
            // Apache's tags are weak for a second.
            try stage.folder.setModified(1_000_000_000, of: name)
            #expect(rename(stage.folder.path(name), apache.uploaded(name)) == 0)
            let path = "/open/uploads/\(name)"
            address = server == .apache ? apache.url(path) : apache.tlsURL(path)
        }
        let outcome = try await stage.download(address)
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(outcome.splits == [.split(4, nil)], "\(outcome.calls)")
        #expect(outcome.addsUp(to: 8_000_000))
        guard server == .nginx || server == .nginxOverTLS || server == .nginxOverHTTP2 else {
            return
        }
        let log = try await Nginx.shared.accessLog("/slow/\(name)", waitingFor: 4)
        let parts = log.filter { $0.range != "-" }
        #expect(parts.count >= 3 && parts.allSatisfy { $0.status == 206 && $0.ifRange != "-" })
        #expect(parts.allSatisfy { $0.version == "HTTP/1.1" })
        #expect(Set(parts.map(\.connection)).count >= 3, "connections of their own")
    }

    @Test("a server that limits connections gets fewer, and the file is whole")
    func limitedConnections() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("split-limited", bytes: stage.bytes)
        let outcome = try await stage.download(
            // nginx sends the first second's bytes at once: a part must have more.
            nginx.url("/crowded/split-limited?rate=700000"),
            streams: 6
        )
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(outcome.splits.first == .split(6, nil))
        #expect(outcome.splits.contains(.split(2, .refused(503))), "\(outcome.splits)")
        #expect(outcome.addsUp(to: 8_000_000))
    }

    @Test("T-08 a cancelled download keeps its holes, and several streams fill them")
    func cancelled() async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: nil) { _ in .stalled }
        let first = try await stage.download(server.url, streams: 3) { task, _ in
            let half: Int64 = 2_000_000
            #expect(await eventually { task.countOfBytesReceived > half })
            _ = await task.cancelByProducingResumeData()
        }
        #expect(first.error == .cancelled)
        let data = try #require(first.resumeData)
        let good = try PartServer(stage.bytes)
        let moved = try #require(String(data: data, encoding: .utf8))
            .replacing(server.url, with: good.url)
        let second = try await stage.download(good.url, streams: 4, resumeData: Data(moved.utf8))
        #expect(second.error == nil)
        #expect(stage.isWhole())
        #expect(second.calls.contains { if case .resumed = $0 { true } else { false } })
    }

    @Test("T-08 the client does not fill holes from a file that has changed on the server")
    func changedBetween() async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: nil) { _ in .stalled }
        let first = try await stage.download(server.url, streams: 3) { task, _ in
            #expect(await eventually { task.countOfBytesReceived > 2_000_000 })
            _ = await task.cancelByProducingResumeData()
        }
        let data = try #require(first.resumeData)
        let other = try PartServer(PseudoRandom.bytes(8_000_000, seed: 2)) { _ in .otherVersion }
        other.releaseFirst()
        let moved = try #require(String(data: data, encoding: .utf8))
            .replacing(server.url, with: other.url)
        let second = try await stage.download(other.url, streams: 1, resumeData: Data(moved.utf8))
        #expect(second.error == nil)
        #expect(second.calls.contains(.startedOver(.entityChanged)))
        #expect(isSameBytes(stage.folder.read("whole"), other.bytes))
    }

    @Test("the rate limits all streams together")
    func rate() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("split-rate", bytes: stage.bytes)
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await stage.download(
            nginx.tlsURL(path),
            configuring: {
                $0.transport.maximumBytesPerSecond = 4_000_000
            }
        )
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(clock.now - start > .milliseconds(1_500))
    }

    @Test("a suspended task pauses all streams, and a resumed one continues them")
    func suspended() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("split-suspended", bytes: stage.bytes)
        try nginx.addLargeFile("split-clock", size: 2_000_000)
        let clock = try url(nginx.url("/slow/split-clock?rate=1000000"))
        let other = URLSession(configuration: .ephemeral)
        defer { other.finishTasksAndInvalidate() }
        let outcome = try await stage.download(
            nginx.url("/slow/split-suspended?rate=1000000")
        ) { task, _ in
            #expect(await eventually { task.countOfBytesReceived > 500_000 })
            task.suspend()
            // Another download is the clock: at the same rate as this one, it lets this one receive more
            // at first, and then nothing.
            _ = try await other.data(from: clock)
            let before = task.countOfBytesReceived
            _ = try await other.data(from: clock)
            #expect(task.countOfBytesReceived == before)
            task.resume()
        }
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
    }

    @Test("the download uses no more connections than the session allows")
    func connectionLimit() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("split-two", bytes: stage.bytes)
        let outcome = try await stage.download(
            nginx.tlsURL("/slow/split-two?rate=3000000"),
            streams: 8,
            configuring: { $0.httpMaximumConnectionsPerHost = 2 }
        )
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(outcome.splits == [.split(2, nil)])
    }

    @Test("a small file, or one without a validator, uses one stream")
    func notSplit() async throws {
        let nginx = try Nginx.shared
        let small = try nginx.addFile("split-small", bytes: PseudoRandom.bytes(100_000))
        let outcome = try await stage.download(nginx.url(small))
        #expect(outcome.splits == [.split(1, .tooSmall)])
        try nginx.addFile("split-no-length", bytes: stage.bytes)
        let unknown = try await stage.download(nginx.url("/no-length/split-no-length"))
        #expect(unknown.error == nil)
        #expect(unknown.splits == [.split(1, .rangesNotSupported)], "\(unknown.splits)")
    }

    /// Records a response's reports besides its head and its body.
    private final class Observer: URLSessionTaskDelegate {
        let statuses = Mutex<[Int]>([])
        let traces = Mutex(0)

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            statuses.withLock { $0.append(response.statusCode) }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didTrace trace: URLSessionTaskTrace
        ) {
            traces.withLock { $0 += 1 }
        }
    }

    @Test("the task reports interim responses and traces of a download that may split, too")
    func observed() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
                try connection.respond("200 OK", body: "small")
            }
        }
        let session = try URLSession.testing { configuration in
            configuration.transport.temporaryFolder = stage.folder.path
            configuration.transport.maximumStreamsPerDownload = 4
            configuration.transport.tracesTransfers = true
        }
        defer { session.finishTasksAndInvalidate() }
        let observer = Observer()
        _ = try await session.download(from: try url(server.url("/")), delegate: observer)
        #expect(observer.statuses.withLock { $0 } == [103])
        #expect(observer.traces.withLock { $0 } > 0)
    }
}
