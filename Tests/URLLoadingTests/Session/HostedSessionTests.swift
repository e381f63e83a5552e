import Foundation
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Sessions that a program runs on its own thread.
@Suite("Hosted sessions", .timeLimit(.minutes(1)))
struct HostedSessionTests {
    /// A thread that hosts sessions until the last reference goes.
    private final class Program: Sendable {
        let host: SessionHost
        private let isOver: Flag
        private let own = Mutex<pthread_t?>(nil)

        init() throws {
            let host = try SessionHost()
            let isOver = Flag()
            self.host = host
            self.isOver = isOver
            Thread.detachNewThread { [weak self] in
                self?.own.withLock { $0 = pthread_self() }
                while !isOver.isUp { Self.turn(host, until: nil) { isOver.isUp } }
                // A session that the test has invalidated ends within the next turns.
                for _ in 0..<50 { Self.turn(host, until: .now + .milliseconds(10)) { false } }
            }
        }

        private static func turn(
            _ host: SessionHost,
            until end: MonotonicInstant?,
            _ isOver: () -> Bool
        ) {
            while host.lane.drain() {}
            host.iterate()
            _ = host.sleep(until: end, lasting: [], readable: [], writable: [], unless: isOver)
        }

        deinit {
            isOver.raise()
            host.ring()
        }

        /// Whether the current thread is the program's.
        var isCurrent: Bool { own.withLock { $0 } == pthread_self() }

        func session(
            _ delegate: (any URLSessionDelegate)?,
            _ taker: (any BodyTaker)? = nil
        ) throws -> URLSession {
            URLSession(
                configuration: try .testing(),
                delegate: delegate,
                hostedBy: host,
                bodyTaker: taker
            )
        }
    }

    @Test("the session calls its delegate on the host's thread, in the order of the events")
    func order() async throws {
        let program = try Program()
        let elsewhere = Mutex(0)
        var behavior = RecordingDelegate.Behavior()
        behavior.received = { _, _ in
            if !program.isCurrent { elsewhere.withLock { $0 += 1 } }
        }
        let recorder = RecordingDelegate(behavior)
        let session = try program.session(recorder)
        let path = try Nginx.shared.addLargeFile("hosted-order", size: 3 << 20)
        let task = session.dataTask(with: try url(try Nginx.shared.url(path)))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        let calls = recorder.calls(task)
        #expect(calls.first == .response(200))
        #expect(calls.last == .completed(nil))
        #expect(calls.count > 3)
        #expect(recorder.data(task).count == 3 << 20)
        #expect(recorder.maximumAtOnce == 1)
        #expect(elsewhere.withLock { $0 } == 0)
        session.invalidateAndCancel()
        #expect(await eventually { recorder.calls().last == .invalid })
        #expect(session.delegate == nil)
    }

    @Test("many tasks, some of files, end one after another, each once")
    func many() async throws {
        let program = try Program()
        let recorder = RecordingDelegate()
        let session = try program.session(recorder)
        defer { session.invalidateAndCancel() }
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        let tasks: [URLSessionTask] = (0..<200).map { number in
            number % 2 == 0
                ? session.dataTask(with: address) : session.downloadTask(with: address)
        }
        for task in tasks { task.resume() }
        for task in tasks {
            #expect(await recorder.completion(of: task) == nil)
            let calls = recorder.calls(task)
            #expect(calls.count { if case .completed = $0 { true } else { false } } == 1)
            guard task is URLSessionDownloadTask else { continue }
            #expect(calls.suffix(2) == [.finished, .completed(nil)])
        }
    }

    @Test("the delegate learns whether a small body is whole, and is asked before one that is late")
    func wholeBodies() async throws {
        let program = try Program()
        let mayGoOn = ["/half": Gate(), "/late": Gate()]
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let lines = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
            switch head.target {
            case "/whole": try connection.send(lines + "body")
            case "/half": try connection.send(lines + "bo")
            default: try connection.send(lines)
            }
            guard let mayGoOn = mayGoOn[head.target] else { return }
            try mayGoOn.wait()
            try connection.send(head.target == "/half" ? "dy" : "body")
        }
        let wasWhole = Mutex<[String: Bool]>([:])
        var behavior = RecordingDelegate.Behavior()
        behavior.asked = { task in
            let path = task.originalRequest?.url?.path ?? ""
            wasWhole.withLock { $0[path] = task.hasWholeBody }
            mayGoOn[path]?.open()
        }
        let recorder = RecordingDelegate(behavior)
        let session = try program.session(recorder)
        defer { session.invalidateAndCancel() }
        for path in ["/half", "/late", "/whole"] {
            let task = session.downloadTask(with: try url(server.url(path)))
            task.resume()
            #expect(await recorder.completion(of: task) == nil)
        }
        #expect(wasWhole.withLock { $0 } == ["/half": false, "/late": false, "/whole": true])
    }

    @Test("a task cancelled within a call gets no further call but its end")
    func cancelledWithin() async throws {
        let program = try Program()
        var behavior = RecordingDelegate.Behavior()
        behavior.received = { task, _ in task.cancel() }
        let recorder = RecordingDelegate(behavior)
        let session = try program.session(recorder)
        defer { session.invalidateAndCancel() }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect(recorder.calls(task) == [.response(200), .data(4), .completed(.cancelled)])
    }

    @Test("a session invalidated within a call ends the other tasks, and reports last")
    func invalidatedWithin() async throws {
        let program = try Program()
        let gate = Gate()
        var behavior = RecordingDelegate.Behavior()
        behavior.received = { task, _ in task.session.invalidateAndCancel() }
        let recorder = RecordingDelegate(behavior)
        let session = try program.session(recorder)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/waits" {
                gate.open()
                return try connection.waitForPeerToClose()
            }
            try gate.wait()
            try connection.respond(body: "body")
        }
        let waiting = session.dataTask(with: try url(server.url("/waits")))
        waiting.resume()
        session.dataTask(with: try url(server.url("/ends"))).resume()
        #expect(await eventually { recorder.calls().last == .invalid })
        #expect(recorder.calls(waiting) == [.completed(.cancelled)])
    }

    @Test("the loop runs while a call waits, and the next call comes behind it")
    func handedOff() async throws {
        let program = try Program()
        let gate = Gate()
        let wasElsewhere = Flag()
        let recorder = RecordingDelegate()
        let session = try program.session(recorder)
        defer { session.invalidateAndCancel() }
        session.queue.async { [session] in
            session.queue.handOff {
                if !program.isCurrent { wasElsewhere.raise() }
                try? gate.wait()
            }
        }
        let server = try SocketServer { connection in
            while (try connection.nextHead()) != nil { try connection.respond(body: "body") }
        }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        // The session asks about the response behind the waiting call.
        #expect(await eventually { task.response != nil })
        #expect(recorder.calls(task).isEmpty)
        gate.open()
        #expect(await recorder.completion(of: task) == nil)
        #expect(wasElsewhere.isUp)
    }

    /// Takes a body as a slow reader does: sometimes nothing, else a few bytes at once.
    private final class SlowTaker: BodyTaker {
        let taken = Mutex<[UInt8]>([])
        let calls = Mutex(0)
        let isOpen = Flag()
        let waiting = Mutex<URLSessionDataTask?>(nil)
        let takesBodies = true

        func take(_ bytes: UnsafeRawBufferPointer, of task: URLSessionDataTask) -> Int {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard isOpen.isUp else {
                waiting.withLock { $0 = task }
                return 0
            }
            let count = number % 3 == 0 ? 0 : min(bytes.count, 5_000 * (number % 7))
            taken.withLock { $0 += bytes.prefix(count) }
            if count < bytes.count { DispatchQueue.global().async { task.reportRoom() } }
            return count
        }
    }

    @Test("a reader takes a body in place at its own pace, and others do not wait for it")
    func taken() async throws {
        let program = try Program()
        let taker = SlowTaker()
        let recorder = RecordingDelegate()
        let session = try program.session(recorder, taker)
        defer { session.invalidateAndCancel() }
        let path = try Nginx.shared.addLargeFile("hosted-taken", size: 4 << 20, seed: 9)
        let slow = session.dataTask(with: try url(try Nginx.shared.url(path)))
        slow.resume()
        #expect(await eventually { taker.waiting.withLock { $0 != nil } })
        let other = session.downloadTask(with: try url(try Nginx.shared.url(path)))
        other.resume()
        #expect(await recorder.completion(of: other) == nil)
        #expect(slow.countOfBytesReceived == 0)
        taker.isOpen.raise()
        // The session keeps the taker, which must not keep the session's task.
        taker.waiting.withLock { $0.take() }?.reportRoom()
        #expect(await recorder.completion(of: slow) == nil)
        #expect(recorder.calls(slow) == [.response(200), .completed(nil)])
        #expect(slow.countOfBytesReceived == 4 << 20)
        let bytes = taker.taken.withLock { $0 }
        #expect(isSameBytes(bytes, PseudoRandom.bytes(4 << 20, seed: 9)))
    }

    @Test("a reader takes a local response in place too, and a cancel ends one without a reader")
    func takenLocally() async throws {
        let program = try Program()
        let taker = SlowTaker()
        let recorder = RecordingDelegate()
        let session = try program.session(recorder, taker)
        defer { session.invalidateAndCancel() }
        let folder = try TemporaryFolder("hosted")
        try folder.write(String(repeating: "text ", count: 100_000), to: "file")
        let stuck = session.dataTask(with: URL(filePath: folder.path("file")))
        stuck.resume()
        #expect(await eventually { taker.waiting.withLock { $0 != nil } })
        stuck.cancel()
        #expect(await recorder.completion(of: stuck) == .cancelled)
        taker.isOpen.raise()
        taker.waiting.withLock { $0 = nil }
        let whole = session.dataTask(with: URL(filePath: folder.path("file")))
        whole.resume()
        #expect(await recorder.completion(of: whole) == nil)
        #expect(taker.taken.withLock { $0.count } == 500_000)
    }

    @Test("a second session of the same host has its own thread, and the host's lane")
    func two() async throws {
        let program = try Program()
        let recorders = [RecordingDelegate(), RecordingDelegate()]
        let sessions = try recorders.map { try program.session($0) }
        defer { for session in sessions { session.invalidateAndCancel() } }
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        for (session, recorder) in zip(sessions, recorders) {
            let task = session.dataTask(with: address)
            task.resume()
            #expect(await recorder.completion(of: task) == nil)
        }
    }
}
