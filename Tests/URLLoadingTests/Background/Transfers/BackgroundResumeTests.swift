import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

/// Downloads that continue the parts of others by a program's resume data, in real transfer processes.
@Suite("Background sessions and resume data", .timeLimit(.minutes(2)))
struct BackgroundResumeTests {
    private static let bytes = (0..<400_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }

    private let fixture: BackgroundSession
    private let server: SocketServer
    private let isWhole = Flag()
    private let delegate = BackgroundDelegate()

    init() throws {
        fixture = try BackgroundSession()
        server = try SocketServer { [isWhole] connection in
            let head = try connection.readHead()
            let end = isWhole.isUp ? nil : 150_000
            try BackgroundDownloadTests.serve(Self.bytes, head, connection, upTo: end)
            guard !isWhole.isUp, head.target != "/broken" else { return }
            try connection.waitForPeerToClose()
        }
    }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.url(path))) }

    private func wasWhole(_ task: Int) -> Bool {
        delegate.has(.finished(task, String(decoding: Self.bytes, as: UTF8.self)))
    }

    @Test("T-08 a download that was cancelled for resume data continues once")
    func cancelled() async throws {
        let session = try fixture.openReal(delegate)
        let first = session.downloadTask(with: try url("/file"))
        first.resume()
        #expect(await eventually { first.countOfBytesReceived >= 150_000 })
        let data = try #require(await first.cancelByProducingResumeData())
        #expect(await eventually { delegate.has(.completed(1, .cancelled)) })
        #expect((first.error as? URLError)?.downloadTaskResumeData == data)
        // A task that was never resumed returns its resume data.
        let second = session.downloadTask(withResumeData: data)
        #expect(await second.cancelByProducingResumeData() == data)
        isWhole.raise()
        let third = session.downloadTask(withResumeData: data)
        #expect(third.originalRequest?.url == first.originalRequest?.url)
        third.resume()
        #expect(await eventually { delegate.has(.completed(3, nil)) })
        #expect(delegate.has(.resumed(3, 150_000, total: 400_000)))
        #expect(wasWhole(3))
        let range = server.heads.last?["Range"]
        #expect(range == "bytes=150000-")
        // The third task has taken the part.
        let fourth = session.downloadTask(withResumeData: data)
        fourth.resume()
        #expect(await eventually { delegate.has(.completed(4, nil)) })
        #expect(delegate.has(.startedOver(4, .partialFileChanged)))
        #expect(wasWhole(4))
        #expect(server.heads.last?["Range"] == nil)
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
    }

    @Test("T-08 a failed task has resume data, which another session can use too")
    func failed() async throws {
        let session = try fixture.openReal(delegate) { $0.background.maximumTries = 1 }
        let task = session.downloadTask(with: try url("/broken"))
        task.resume()
        let hasFailed = await eventually(within: .seconds(40)) {
            delegate.has(.completed(1, .networkConnectionLost))
        }
        #expect(hasFailed, "\(delegate.calls)")
        let data = try #require((task.error as? URLError)?.downloadTaskResumeData)
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        isWhole.raise()
        let next = BackgroundDelegate()
        let other = try fixture.openReal(next, identifier: "another")
        other.downloadTask(withResumeData: data).resume()
        #expect(await eventually { next.has(.completed(1, nil)) })
        #expect(next.has(.resumed(1, 150_000, total: 400_000)))
        #expect(next.has(.finished(1, String(decoding: Self.bytes, as: UTF8.self))))
        other.finishTasksAndInvalidate()
        #expect(await eventually { next.isInvalid })
    }

    @Test(
        "T-08 the next transfer process starts over a part that another program has changed",
        arguments: [false, true]
    )
    func overwritten(isChanged: Bool) async throws {
        let session = try fixture.openReal(delegate)
        let task = session.downloadTask(with: try url("/file"))
        task.resume()
        let resumeFile = { [fixture] () -> String? in
            let all = try? FileManager.default.subpathsOfDirectory(atPath: fixture.root)
            return all?.first { $0.hasSuffix(".part.resume") }.map { "\(fixture.root)/\($0)" }
        }
        let isSaved = await eventually {
            guard let path = resumeFile() else { return false }
            let part = String(path.dropLast(".resume".count))
            return (try? ResumeFile(of: part).read())?.receivedBytes == 150_000
        }
        #expect(isSaved)
        let process = try #require(session.transferProcess)
        kill(process, SIGSTOP)
        let part = String(try #require(resumeFile()).dropLast(".resume".count))
        let file = try FileDescriptor.open(part, .writeOnly)
        // Without a change, only the time of the last write differs.
        try file.writeAll(toAbsoluteOffset: 0, isChanged ? "overwritten".utf8 : "abcdefghijk".utf8)
        try file.close()
        isWhole.raise()
        kill(process, SIGKILL)
        #expect(await eventually { delegate.has(.completed(1, nil)) })
        #expect(wasWhole(1))
        let range = server.heads.last?["Range"]
        #expect(range == (isChanged ? nil : "bytes=150000-"))
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
    }

    @Test("T-08 the request for the part is repeated if the transfer process was killed")
    func killed() async throws {
        let session = try fixture.openReal(delegate)
        let task = session.downloadTask(with: try url("/file"))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived >= 150_000 })
        let process = try #require(session.transferProcess)
        kill(process, SIGSTOP)
        async let data = task.cancelByProducingResumeData()
        #expect(await eventually { task.state == .canceling })
        kill(process, SIGKILL)
        // The data is from the process's last resume file; there may be none.
        _ = await data
        #expect(await eventually { delegate.has(.completed(1, .cancelled)) })
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
    }

    @Test("the last bytes before a silence are reported")
    func silence() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n1")
            try gate.wait()
            try connection.send([UInt8](repeating: 1, count: 99_999))
            try connection.waitForPeerToClose()
        }
        let testServer = try TransferServer(fixture)
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        #expect(await eventually { testServer.received(1) >= 1 })
        gate.open()
        #expect(await eventually { testServer.received(1) == 100_000 })
        client.send(.cancel(tasks: [1]))
        _ = try await client.waitForEnd(of: 1)
        client.leave()
    }
}
