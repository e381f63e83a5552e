import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Data tasks that become downloads", .timeLimit(.minutes(1)))
struct BecomeDownloadTests {
    private static let whole: [BecomingDelegate.Call] = [
        .response, .became, .asked, .finished, .completed(isDownload: true, nil),
    ]

    @Test(
        "T-10 the download reports everything, and the data task nothing more",
        arguments: [1, 1000, 3 << 20],
        [true, false]
    )
    func becomes(size: Int, overHTTP2: Bool) async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t10-\(size)-\(overHTTP2).bin", size: size)
        let delegate = BecomingDelegate()
        let session = try URLSession.testing(delegate)
        let url = overHTTP2 ? nginx.tlsURL(file) : nginx.url(file)
        let task = session.dataTask(with: try #require(URL(string: url)))
        task.taskDescription = "words"
        task.priority = 0.75
        task.resume()
        #expect(await delegate.hasCompleted())
        #expect(delegate.order == Self.whole)
        #expect(isSameBytes(delegate.bytes, PseudoRandom.bytes(size)))
        let download = try #require(delegate.download)
        #expect(task.state == .completed)
        #expect(task.error == nil)
        #expect(download.state == .completed)
        #expect(download.taskIdentifier != task.taskIdentifier)
        #expect(download.taskDescription == "words")
        #expect(download.priority == 0.75)
        #expect(download.originalRequest?.url == task.originalRequest?.url)
        #expect((download.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(download.countOfBytesReceived == Int64(size))
        #expect(delegate.total == Int64(size))
        #expect(await session.allTasks.isEmpty)
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.calls.last == .invalid })
    }

    @Test("T-10 the file has the bytes that arrived before the delegate's decision")
    func thinking() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: String(repeating: "b", count: 5000))
        }
        let delegate = BecomingDelegate(waits: true)
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { delegate.isAsked })
        delegate.decide(.becomeDownload)
        #expect(await delegate.hasCompleted())
        #expect(delegate.order == Self.whole)
        #expect(delegate.bytes.count == 5000)
        try server.verify()
    }

    @Test("T-10 the task's own delegate follows it, and gets the calls first")
    func ownDelegate() async throws {
        let nginx = try Nginx.shared
        let own = BecomingDelegate()
        let sessions = BecomingDelegate()
        let session = try URLSession.testing(sessions)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(nginx.url("/files/hello.txt")))
        task.delegate = own
        task.resume()
        #expect(await own.hasCompleted())
        #expect(own.order == Self.whole)
        #expect(sessions.calls.isEmpty)
        #expect(own.download?.delegate == nil)
    }

    @Test("T-10 an upload's response can become a download too")
    func upload() async throws {
        let nginx = try Nginx.shared
        let delegate = BecomingDelegate()
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: try url(nginx.url("/dav/t10-upload")))
        request.httpMethod = "PUT"
        let task = session.uploadTask(with: request, from: Data("sent".utf8))
        task.resume()
        #expect(await delegate.hasCompleted())
        #expect(delegate.order == Self.whole)
        #expect(delegate.download?.countOfBytesSent == 4)
    }

    @Test("T-10 finishTasksAndInvalidate waits for the download of a data task")
    func finishing() async throws {
        let nginx = try Nginx.shared
        let delegate = BecomingDelegate(waits: true)
        let session = try URLSession.testing(delegate)
        session.dataTask(with: try url(nginx.url("/files/hello.txt"))).resume()
        #expect(await eventually { delegate.isAsked })
        session.finishTasksAndInvalidate()
        delegate.decide(.becomeDownload)
        #expect(await eventually { delegate.calls.last == .invalid })
        #expect(delegate.order == Self.whole + [.invalid])
    }

    @Test("T-10 a download cancelled in didBecome can continue")
    func resumeData() async throws {
        let nginx = try Nginx.shared
        let size = 2 << 20
        let file = try nginx.addLargeFile("t10-resume.bin", size: size)
        let folder = try TestSupport.TemporaryFolder()
        let kept = Mutex<Data?>(nil)
        let delegate = BecomingDelegate()
        let session = try URLSession.testing(delegate) {
            $0.transport.temporaryFolder = folder.path
        }
        defer { session.finishTasksAndInvalidate() }
        let slow = file.replacing("/files/", with: "/slow/") + "?rate=262144"
        session.dataTask(with: try url(nginx.url(slow))).resume()
        #expect(await eventually { delegate.total > 0 })
        let download = try #require(delegate.download)
        download.cancel { data in kept.withLock { $0 = data } }
        #expect(await delegate.hasCompleted())
        #expect(delegate.order.last == .completed(isDownload: true, .cancelled))
        let data = try #require(kept.withLock { $0 })
        #expect(delegate.resumeData != nil)
        let rest = try ResumeData(data)
        #expect(rest.receivedBytes > 0 && rest.receivedBytes < size)
        #expect(rest.validator != nil)
    }

    @Test(
        "T-10 a cancel ends the download once, at any moment",
        arguments: [Moment.whileAsked, .justDecided, .inDidBecome, .later]
    )
    func cancels(at moment: Moment) async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t10-cancel.bin", size: 1 << 20)
        let folder = try TestSupport.TemporaryFolder()
        let delegate = BecomingDelegate(waits: true) { dataTask, _ in
            // No other code can know the download yet.
            if moment == .inDidBecome { dataTask.cancel() }
        }
        let session = try URLSession.testing(delegate) {
            $0.transport.temporaryFolder = folder.path
        }
        let slow = file.replacing("/files/", with: "/slow/") + "?rate=65536"
        let task = session.dataTask(with: try url(nginx.url(slow)))
        task.resume()
        #expect(await eventually { delegate.isAsked })
        switch moment {
        case .whileAsked:
            task.cancel()
            delegate.decide(.becomeDownload)
        case .justDecided:
            delegate.decide(.becomeDownload)
            task.cancel()
            // Where didBecome was faster, this is the task to cancel.
            delegate.download?.cancel()
        case .inDidBecome: delegate.decide(.becomeDownload)
        case .later:
            delegate.decide(.becomeDownload)
            #expect(await eventually { delegate.total > 0 })
            // From now on, only the download decides.
            task.cancel()
            delegate.download?.cancel()
        }
        #expect(await delegate.hasCompleted())
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.calls.last == .invalid })
        let ends = delegate.calls.filter { if case .completed = $0 { true } else { false } }
        #expect(ends == [.completed(isDownload: moment != .whileAsked, .cancelled)])
        #expect(!delegate.calls.contains(.finished))
        #expect(folder.names().isEmpty)
    }

    enum Moment { case whileAsked, justDecided, inDidBecome, later }

    @Test(
        "T-10 a session that cancels while a task becomes a download keeps no task",
        arguments: 0..<20
    )
    func cancelsAll(round: Int) async throws {
        let nginx = try Nginx.shared
        let delegate = BecomingDelegate(waits: true)
        let session = try URLSession.testing(delegate)
        let file = try nginx.addLargeFile("t10-all.bin", size: 1 << 20)
        let slow = file.replacing("/files/", with: "/slow/") + "?rate=65536"
        session.dataTask(with: try url(nginx.url(slow))).resume()
        #expect(await eventually { delegate.isAsked })
        async let decided: Void = delegate.decide(.becomeDownload)
        async let cancelled: Void = session.invalidateAndCancel()
        _ = await (decided, cancelled)
        #expect(await eventually { delegate.calls.last == .invalid })
        let ends = delegate.calls.filter { if case .completed = $0 { true } else { false } }
        #expect(ends.count == 1)
    }

    @Test("T-10 a task suspended before the delegate's decision stays so as a download")
    func suspended() async throws {
        let nginx = try Nginx.shared
        let delegate = BecomingDelegate(waits: true)
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let file = try nginx.addLargeFile("t10-suspended.bin", size: 2 << 20)
        let task = session.dataTask(with: try url(nginx.url(file)))
        task.resume()
        #expect(await eventually { delegate.isAsked })
        task.suspend()
        delegate.decide(.becomeDownload)
        #expect(await eventually { delegate.download != nil })
        let download = try #require(delegate.download)
        #expect(download.state == .suspended)
        #expect(task.state == .completed)
        #expect(!delegate.calls.contains(.finished))
        download.resume()
        #expect(await delegate.hasCompleted())
        #expect(delegate.order == Self.whole)
        #expect(delegate.bytes.count == 2 << 20)
    }

    @Test("T-10 a refused or impossible destination ends the download alone")
    func refused() async throws {
        let nginx = try Nginx.shared
        for (destination, code) in [
            (nil, URLError.Code.cancelled),
            (.partFile(URL(filePath: "/nowhere/x.part")), .cannotCreateFile),
        ] as [(DownloadDestination?, URLError.Code)] {
            let delegate = BecomingDelegate(destination: destination)
            let session = try URLSession.testing(delegate)
            session.dataTask(with: try url(nginx.url("/files/hello.txt"))).resume()
            #expect(await delegate.hasCompleted())
            #expect(
                delegate.order
                    == [.response, .became, .asked, .completed(isDownload: true, code)]
            )
            session.finishTasksAndInvalidate()
        }
    }

    @Test("T-10 the timeout for the whole keeps counting")
    func timeLimit() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t10-time.bin", size: 1 << 20)
        let delegate = BecomingDelegate()
        let session = try URLSession.testing(delegate) {
            // The whole takes three times as long.
            $0.timeoutIntervalForResource = 5
        }
        defer { session.finishTasksAndInvalidate() }
        let slow = file.replacing("/files/", with: "/slow/") + "?rate=65536"
        session.dataTask(with: try url(nginx.url(slow))).resume()
        #expect(await delegate.hasCompleted())
        #expect(delegate.order.last == .completed(isDownload: true, .timedOut))
        #expect(delegate.resumeData != nil)
    }
}
