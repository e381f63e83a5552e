import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Data tasks", .timeLimit(.minutes(1)))
struct DataTaskTests {
    @Test("T-01 a task begins suspended, and sends nothing until resume")
    func suspended() async throws {
        let server = try SocketServer { try $0.respond(body: "x") }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let first = session.dataTask(with: try url(server.url("/a")))
        let second = session.dataTask(with: try url(try Nginx.shared.url("/files/hello.txt")))
        #expect(first.state == .suspended)
        #expect(first.taskIdentifier != second.taskIdentifier)
        second.resume()
        #expect(await recorder.completion(of: second) == nil)
        #expect(server.connectionCount == 0)
        #expect(await session.allTasks.map(\.taskIdentifier) == [first.taskIdentifier])
        first.cancel()
        #expect(await recorder.completion(of: first) == .cancelled)
        #expect(first.state == .completed)
        #expect(server.connectionCount == 0)
    }

    @Test("T-01 a task's counts, requests, response and progress match its transfer")
    func properties() async throws {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) {
            $0.httpAdditionalHeaders = ["X-Test": "added"]
        }
        defer { session.finishTasksAndInvalidate() }
        let file = try Nginx.shared.addLargeFile("t01.bin", size: 300_000)
        let task = session.dataTask(with: try url(try Nginx.shared.url(file)))
        #expect(task.countOfBytesExpectedToReceive == -1)
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(task.countOfBytesReceived == 300_000)
        #expect(task.countOfBytesExpectedToReceive == 300_000)
        #expect(task.countOfBytesSent == 0)
        #expect(task.countOfBytesExpectedToSend == 0)
        #expect(task.progress.fractionCompleted == 1)
        #expect(task.progress.totalUnitCount == 300_000)
        #expect(task.originalRequest?.value(forHTTPHeaderField: "X-Test") == nil)
        #expect(task.currentRequest?.value(forHTTPHeaderField: "x-test") == "added")
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.error == nil)
    }

    @Test("T-01 many tasks of one session run at once and share its connections")
    func many() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let file = try Nginx.shared.addLargeFile("t01-many.bin", size: 20_000)
        let address = try url(try Nginx.shared.url(file + "?many"))
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask { try await session.data(from: address).0.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 20_000, count: 40))
        let entries = try await Nginx.shared.accessLog(file + "?many", waitingFor: 40)
        #expect(Set(entries.map(\.connection)).count <= 6)
    }

    @Test("T-01 many HTTP/2 tasks of one session share one connection")
    func manyOverHTTP2() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let file = try nginx.addLargeFile("t01-h2.bin", size: 20_000)
        let address = try url(nginx.http2URL(file + "?many"))
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<60 {
                group.addTask { try await session.data(from: address).0.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 20_000, count: 60))
        let entries = await nginx.accessLog(file + "?many", waitingFor: 60)
        #expect(entries.count == 60)
        #expect(Set(entries.map(\.connection)).count == 1)
    }

    @Test("T-01 a suspended task pauses, and then continues at the same byte, once")
    func suspendInMidBody() async throws {
        let half = PseudoRandom.bytes(1 << 20)
        let maySendMore = Flag()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(2 * half.count)\r\n\r\n")
            try connection.send(half)
            while !maySendMore.isUp { connection.pause(.milliseconds(5)) }
            try connection.send(half)
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived == half.count })
        task.suspend()
        #expect(task.state == .suspended)
        // The session carries out commands in order: once another task has run, this one is paused.
        _ = try await session.data(from: try url(Nginx.shared.url("/files/hello.txt")))
        maySendMore.raise()
        // The test shows that nothing comes in this time.
        #expect(await !happens(in: .milliseconds(500)) { task.countOfBytesReceived > half.count })
        #expect(task.countOfBytesReceived == half.count)
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(isSameBytes(recorder.data(task), half + half))
        #expect(server.requestCount == 1)
    }

    @Test("T-01 a task suspended before its request was sent sends nothing until resume")
    func suspendedInTheQueue() async throws {
        let mayRespond = Flag()
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                while head.target == "/first", !mayRespond.isUp {
                    connection.pause(.milliseconds(5))
                }
                try connection.respond(body: "x")
            }
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) { $0.httpMaximumConnectionsPerHost = 1 }
        defer { session.finishTasksAndInvalidate() }
        let tasks = try ["/first", "/second", "/third"].map { path in
            session.dataTask(with: try url(server.url(path)))
        }
        tasks[0].resume()
        #expect(await eventually { server.requestCount == 1 })
        tasks[1].resume()
        tasks[1].suspend()
        tasks[2].resume()
        // From another host with its own connection: by its end, the session has carried out all of this.
        _ = try await session.data(from: try url(Nginx.shared.url("/files/hello.txt")))
        mayRespond.raise()
        #expect(await recorder.completion(of: tasks[0]) == nil)
        #expect(await recorder.completion(of: tasks[2]) == nil)
        #expect(server.heads.map(\.target) == ["/first", "/third"])
        tasks[1].resume()
        #expect(await recorder.completion(of: tasks[1]) == nil)
        #expect(server.heads.map(\.target) == ["/first", "/third", "/second"])
    }

    @Test("S-06 a task releases its handler after the call, and corrects an invalid priority")
    func handlerReleased() async throws {
        final class Owner: Sendable {
            let task = Mutex<URLSessionTask?>(nil)
            let isDone = Flag()
        }
        weak var weak: Owner?
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        do {
            let owner = Owner()
            weak = owner
            let address = try url(try Nginx.shared.url("/files/hello.txt"))
            let task = session.dataTask(with: address) { _, _, _ in owner.isDone.raise() }
            task.priority = .nan
            #expect(task.priority == URLSessionTask.defaultPriority)
            owner.task.withLock { $0 = task }
            task.resume()
            #expect(await eventually { owner.isDone.isUp })
        }
        #expect(await eventually { weak == nil })
    }

    @Test("T-02 data arrives in pieces while the server is still sending")
    func pieces() async throws {
        let seen = Mutex(0)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            // The rest comes only after the client has reported the first half.
            while seen.withLock({ $0 }) < 3 { connection.pause(.milliseconds(1)) }
            try connection.send("def")
        }
        let recorder = RecordingDelegate(
            .init(received: { _, data in
                seen.withLock { $0 += data.count }
            })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task) == [.response(200), .data(3), .data(3), .completed(nil)])
    }

    @Test(
        "T-02 a response with HEAD, 204 or 304 has no body and is no error",
        arguments: [204, 304]
    )
    func bodiless(status: Int) async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
            from: try url(try Nginx.shared.url("/status/\(status)"))
        )
        #expect(data.isEmpty)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        var head = try request(try Nginx.shared.url("/files/hello.txt"))
        head.httpMethod = "HEAD"
        let (none, headResponse) = try await session.data(for: head)
        #expect(none.isEmpty)
        #expect(headResponse.expectedContentLength > 0)
    }

    @Test("T-02 bytes(for:) delivers the head at once and every byte in order")
    func bytes() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let file = try Nginx.shared.addLargeFile("t02-bytes.bin", size: 3 << 20)
        let (bytes, response) = try await session.bytes(from: try url(try Nginx.shared.url(file)))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var collected: [UInt8] = []
        for try await byte in bytes { collected.append(byte) }
        #expect(isSameBytes(collected, PseudoRandom.bytes(3 << 20)))
    }

    @Test("T-02 bytes(for:) throws the error after all bytes before it")
    func bytesCutShort() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (bytes, _) = try await session.bytes(from: try url(server.url()))
        var collected: [UInt8] = []
        let code = await errorCode { for try await byte in bytes { collected.append(byte) } }
        #expect(code == .networkConnectionLost)
        #expect(collected == Array("abc".utf8))
    }

    @Test("T-02 bytes(for:) of a redirect that the delegate declines are the redirect's own")
    func bytesOfRedirect() async throws {
        let recorder = RecordingDelegate(.init(redirect: { _ in nil }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let (bytes, response) = try await session.bytes(
            from: try url(try Nginx.shared.url("/redirect/302"))
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        var collected: [UInt8] = []
        for try await byte in bytes { collected.append(byte) }
        #expect(String(decoding: collected, as: UTF8.self).contains("302 Found"))
    }

    @Test("T-02 a reader of bytes that stops ends the task")
    func bytesDropped() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let file = try Nginx.shared.addLargeFile("t02-dropped.bin", size: 8 << 20)
        do {
            _ = try await session.bytes(from: try url(try Nginx.shared.url(file)))
        }
        #expect(await eventually { await session.allTasks.isEmpty })
    }

    @Test("T-02 a data task whose delegate cancels gets no body")
    func cancelledByDelegate() async throws {
        let recorder = RecordingDelegate(.init(response: .cancel))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(try Nginx.shared.url("/files/hello.txt")))
        task.resume()
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect(recorder.calls(task) == [.response(200), .completed(.cancelled)])
    }
}
