import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Tasks without a network, over a scripted transport.
@Suite("A task that waits for a network", .timeLimit(.minutes(1)))
struct WaitingTaskTests {
    private let transport = ScriptedTransport()
    /// A monitor whose only events are calls of ``NetworkMonitor/note()``.
    private let monitor = NetworkMonitor(shortestWait: .seconds(3_600)) { -1 }
    private let delegate = WaitingDelegate()

    private func session(
        _ monitor: NetworkMonitor? = nil,
        _ change: (inout SessionSettings) -> Void = { $0.waitsForConnectivity = true }
    ) -> URLSession {
        var settings = SessionSettings(kind: .ephemeral)
        change(&settings)
        return URLSession(
            settings,
            transport,
            delegate,
            nil,
            networkMonitor: monitor ?? self.monitor
        )
    }

    private func start(_ number: Int) -> ScriptedTransport.Command {
        .start(HopID(number: number), "GET", "http://h/")
    }

    /// Ends a hop with a missing network.
    private func fail(_ number: Int, _ absence: NetworkAbsence = .noPath) throws {
        let end = HopEnd(error: URLError(.notConnectedToInternet))
        end.absence = absence
        end.leavesBody = true
        try #require(transport.client(number)).hop(HopID(number: number), didEnd: end)
    }

    @Test("S-05 waitsForConnectivity is off by default, and copied with the configuration")
    func configuration() {
        let configuration = URLSessionConfiguration.default
        #expect(!configuration.waitsForConnectivity)
        #expect(!URLSessionConfiguration.ephemeral.waitsForConnectivity)
        configuration.waitsForConnectivity = true
        let session = URLSession(configuration: configuration)
        configuration.waitsForConnectivity = false
        #expect(session.configuration.waitsForConnectivity)
        session.invalidateAndCancel()
    }

    @Test("T-15 a missing network ends a task without waitsForConnectivity")
    func off() async throws {
        let task = session { _ in }.dataTask(with: try url("http://h/"))
        task.resume()
        try fail(1)
        #expect(await delegate.end(of: task) == .notConnectedToInternet)
        #expect(delegate.waiting == 0)
    }

    @Test("T-15 a task reports once that it waits, and repeats its request at each change")
    func waits() async throws {
        let task = session().dataTask(with: try url("http://h/"))
        task.resume()
        for number in 1...4 {
            try fail(number)
            monitor.note()
            #expect(await eventually { transport.commands.last == start(number + 1) })
        }
        #expect(task.state == .running)
        let head = HopHead(status: 204, httpVersion: "HTTP/1.1", reason: "", fields: .init())
        let client = try #require(transport.client(5))
        _ = client.hop(HopID(number: 5), didReceive: head)
        client.hop(HopID(number: 5), didEnd: HopEnd())
        #expect(await delegate.end(of: task) == nil)
        #expect(delegate.waiting == 1)
    }

    @Test("T-15 the session sends an unread body stream, and does not request another")
    func body() async throws {
        let session = session()
        var upload = try request("http://h/")
        upload.httpMethod = "PUT"
        let task = session.uploadTask(withStreamedRequest: upload)
        task.resume()
        #expect(await eventually { transport.client(1) != nil })
        try fail(1)
        monitor.note()
        #expect(await eventually { transport.client(2) != nil })
        #expect(delegate.streams == 1)
        task.cancel()
    }

    @Test("T-15 a suspended task does not wait, and makes an attempt at once after resume")
    func suspends() async throws {
        let task = session().dataTask(with: try url("http://h/"))
        task.resume()
        try fail(1)
        task.suspend()
        monitor.note()
        #expect(await eventually { delegate.waiting == 1 })
        #expect(transport.commands == [start(1)])
        #expect(task.state == .suspended)
        task.resume()
        #expect(transport.commands == [start(1), start(2)])
        transport.client(2)?.hop(HopID(number: 2), didEnd: HopEnd())
    }

    @Test("T-15 a hop that fails for lack of a network in a suspended task waits for resume")
    func failsSuspended() async throws {
        let task = session().dataTask(with: try url("http://h/"))
        task.resume()
        task.suspend()
        try fail(1)
        #expect(await eventually { delegate.waiting == 1 })
        task.resume()
        #expect(transport.commands.last == start(2))
        transport.client(2)?.hop(HopID(number: 2), didEnd: HopEnd())
    }

    @Test(
        "T-15 cancelling the task, or invalidating the session, ends the wait",
        arguments: [true, false]
    )
    func cancels(task cancelsTask: Bool) async throws {
        let session = session()
        let task = session.downloadTask(with: try url("http://h/"))
        task.resume()
        try fail(1)
        if cancelsTask { task.cancel() } else { session.invalidateAndCancel() }
        #expect(await delegate.end(of: task) == .cancelled)
        #expect(task.state == .completed)
        monitor.note()
        #expect(transport.commands.first == start(1))
        #expect(!transport.commands.contains(start(2)))
    }

    @Test("T-15 cancelling a waiting download gives no resume data")
    func resumeData() async throws {
        let task = session().downloadTask(with: try url("http://h/"))
        task.resume()
        try fail(1)
        let data = await withCheckedContinuation { continuation in
            task.cancel { continuation.resume(returning: $0) }
        }
        #expect(data == nil)
    }

    @Test("T-15 timeoutIntervalForResource counts while a task waits")
    func timeLimit() async throws {
        let session = session(NetworkMonitor { -1 }) {
            $0.waitsForConnectivity = true
            $0.timeoutForResource = 0.05
        }
        let task = session.dataTask(with: try url("http://h/"))
        task.resume()
        try fail(1)
        #expect(await delegate.end(of: task) == .timedOut)
    }

    @Test("T-15 an unknown name ends the task; a missing name server does not")
    func names() throws {
        for finding in [NameLookUp.unknown, .noResponse, .found, .late] {
            let end = HopEnd(error: URLError(.cannotFindHost))
            end.absence = .noName(finding)
            end.leavesBody = true
            var life = try TaskStage.requesting.life()
            let isWaiting = finding != .unknown
            let words = isWaiting ? "tell, wait" : "complete cannotFindHost"
            #expect(life.ended(TaskStage.first, end).words == words, "\(finding)")
            #expect(life.name == (isWaiting ? "offline" : "ended"), "\(finding)")
        }
    }

    @Test("T-15 a second look-up ends without a response of the name server")
    func lateLookUp() async {
        let isDone = Mutex(false)
        let query = HostQuery("localhost", .any, limit: .zero) { isDone.withLock { $0 = true } }
        #expect(await eventually { isDone.withLock { $0 } })
        #expect([.late, .found].contains(query.result))
    }

    @Test("T-15 a name that the session resolves and the engine does not is an error in the end")
    func contradiction() {
        var side = ConnectivityState(isWanted: true)
        var beliefs = (0..<3).map { _ in side.mayRetryAfterLookUp() }
        side.noteResponse()
        beliefs.append(side.mayRetryAfterLookUp())
        #expect(beliefs == [true, true, false, true])
    }

    @Test("T-15 the waits grow to 30 s without a notice, and start again after one")
    func delays() {
        var side = ConnectivityState(isWanted: true)
        let seconds = (0..<9).map { _ in side.nextDelay() / .seconds(1) }
        #expect(seconds == [0.1, 1, 2, 4, 8, 16, 30, 30, 30])
        side.noteChange()
        let afterChange = side.nextDelay()
        side.noteResponse()
        let afterResponse = side.nextDelay()
        #expect(afterChange == .seconds(1))
        #expect(afterResponse == .milliseconds(100))
    }
}

/// Counts the calls of a waiting task.
private final class WaitingDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
    private struct State {
        var waiting = 0
        var streams = 0
        var ends: [Int: URLError.Code?] = [:]
    }

    private let state = Mutex(State())

    var waiting: Int { state.withLock { $0.waiting } }
    var streams: Int { state.withLock { $0.streams } }

    /// The task's error; `unknown` where the task did not end.
    func end(of task: URLSessionTask) async -> URLError.Code? {
        let number = task.taskIdentifier
        _ = await eventually { state.withLock { $0.ends[number] != nil } }
        return state.withLock { $0.ends[number] ?? .unknown }
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        state.withLock { $0.waiting += 1 }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        state.withLock { $0.streams += 1 }
        completionHandler(DataBodyStream(Data("body".utf8)))
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let code = error.map { ($0 as? URLError)?.code ?? .unknown }
        state.withLock { $0.ends[task.taskIdentifier] = .some(code) }
    }
}
