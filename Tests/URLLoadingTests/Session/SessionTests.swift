import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Sessions", .timeLimit(.minutes(1)))
struct SessionTests {
    init() {
        SharedCache.keepOffDisk
    }

    @Test("S-01 a default and an ephemeral session load, and shared does so without preparation")
    func kinds() async throws {
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
            configuration.transport.proxy = .none
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            let (data, response) = try await session.data(from: address)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self) == "Hello, world!\n")
        }
        #expect(URLSessionConfiguration.default.settings.kind == .default)
        #expect(URLSessionConfiguration.ephemeral.settings.kind == .ephemeral)
        #expect(URLSession.shared.delegate == nil)
    }

    @Test("S-01 the shared session outlives attempts to invalidate it")
    func shared() async throws {
        URLSession.shared.invalidateAndCancel()
        let (data, _) = try await URLSession.shared.data(
            from: try url(try Nginx.shared.url("/files/hello.txt"))
        )
        #expect(!data.isEmpty)
    }

    @Test("S-04 a configuration changed after the making of the session changes nothing")
    func copied() async throws {
        let configuration = try URLSessionConfiguration.testing()
        configuration.httpAdditionalHeaders = ["X-Test": "before"]
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        configuration.httpAdditionalHeaders = ["X-Test": "after"]
        session.configuration.httpAdditionalHeaders = ["X-Test": "copy"]
        let (data, _) = try await session.data(from: try url(try Nginx.shared.url("/echo/s04")))
        #expect(String(decoding: data, as: UTF8.self).contains("x-test: before\n"))
        #expect(session.configuration.httpAdditionalHeaders == ["X-Test": "before"])
    }

    @Test("S-04 a request is stricter than its session, never laxer")
    func stricter() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        for (own, sessions) in [(0.3, 60.0), (60.0, 0.3)] {
            let session = try URLSession.testing { $0.timeoutIntervalForRequest = sessions }
            defer { session.invalidateAndCancel() }
            var request = try request(server.url())
            request.timeoutInterval = own
            let started = ContinuousClock.now
            let code = await errorCode { _ = try await session.data(for: request) }
            #expect(code == .timedOut)
            #expect(ContinuousClock.now - started < .seconds(20))
        }
        // A connection is established before the server accepts it.
        #expect(await eventually { server.wasCalled })
    }

    @Test("S-06 a 404 is a response and no error, and the handler gets it whole")
    func errorStatus() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
            from: try url(try Nginx.shared.url("/status/404"))
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 404)
        #expect(!data.isEmpty)
    }

    @Test("S-06 a handler gets a client-side error, with neither data nor response")
    func clientError() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let result = Mutex<(Bool, Bool, URLError.Code?)?>(nil)
        let task = session.dataTask(with: try url("http://127.0.0.1:1/")) { data, response, error in
            result.withLock { $0 = (data == nil, response == nil, (error as? URLError)?.code) }
        }
        task.resume()
        #expect(await eventually { result.withLock { $0 != nil } })
        let got = result.withLock { $0 }
        #expect(got?.0 == true && got?.1 == true)
        #expect(got?.2 == .cannotConnectToHost)
    }

    @Test(
        "S-07 the session makes calls in series and in order, also on a caller's concurrent queue"
    )
    func serial() async throws {
        let recorder = RecordingDelegate()
        let session = URLSession(
            configuration: try .testing(),
            delegate: recorder,
            delegateQueue: DispatchQueue(label: "concurrent", attributes: .concurrent)
        )
        defer { session.finishTasksAndInvalidate() }
        let file = try Nginx.shared.addLargeFile("s07.bin", size: 3 << 20)
        let tasks = try (0..<8).map { _ in
            session.dataTask(with: try url(try Nginx.shared.url(file)))
        }
        for task in tasks { task.resume() }
        for task in tasks { #expect(await recorder.completion(of: task) == nil) }
        #expect(recorder.maximumAtOnce == 1)
        for task in tasks {
            let calls = recorder.calls(task)
            #expect(calls.first == .response(200))
            #expect(calls.last == .completed(nil))
            #expect(isSameBytes(recorder.data(task), PseudoRandom.bytes(3 << 20)))
        }
    }

    @Test("S-07 the delegate queue is the caller's")
    func queue() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "mine")
        queue.setSpecific(key: key, value: true)
        let session = URLSession(configuration: try .testing(), delegate: nil, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        #expect(session.delegateQueue === queue)
        let isThere = Mutex<Bool?>(nil)
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        session.dataTask(with: address) { _, _, _ in
            isThere.withLock { $0 = DispatchQueue.getSpecific(key: key) }
        }.resume()
        #expect(await eventually { isThere.withLock { $0 != nil } })
        #expect(isThere.withLock { $0 } == true)
    }
}
