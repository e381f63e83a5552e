import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Background downloads", .timeLimit(.minutes(2)))
struct BackgroundDownloadTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    private func files(_ name: String) -> String { session.name + "/files/" + name }

    @Test("B-01 downloads are complete, in the session's folder or at their destination")
    func whole() async throws {
        let nginx = try Nginx.shared
        let bytes = PseudoRandom.bytes(3_000_000, seed: 7)
        _ = try nginx.addFile("background-one", bytes: bytes)
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let target = session.home.path("target")
        client.run(
            try .make(1, nginx.url("/files/background-one")),
            try .make(2, nginx.url("/files/background-one"), to: target)
        )
        let first = try #require(await client.file(of: 1))
        let second = try #require(await client.file(of: 2))
        #expect(second.path == target)
        #expect(isSameBytes(session.home.read(first.relative(to: session.home)), bytes))
        #expect(isSameBytes(session.home.read("target"), bytes))
        #expect(FileStatus(first.path)?.size == 3_000_000)
        let end = try await client.waitForEnd(of: 1)
        #expect(end.error == nil)
        #expect(end.response?.status == 200)
        // After all events are acknowledged, the tasks are forgotten, and the session is removed.
        let last = try #require(client.deliveries.last?.sequence)
        #expect(await eventually { client.deliveries.count == 5 })
        #expect(testServer.begun == [1, 2])
        client.send(.acknowledge(sequence: 4))
        #expect(await eventually { testServer.begun == [] })
        client.send(.acknowledge(sequence: max(last, 5)))
        client.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(!session.home.exists(session.name))
    }

    @Test("B-01 a suspended download continues at its byte, also in the next process")
    func suspended() async throws {
        let bytes = PseudoRandom.bytes(400_000)
        let mayGo = Flag()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try Self.serve(bytes, head, connection, upTo: mayGo.isUp ? nil : 150_000)
            if !mayGo.isUp { try connection.waitForPeerToClose() }
        }
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        #expect(await eventually { testServer.received(1) >= 150_000 })
        client.send(.suspend(tasks: [1]))
        let isSuspended = await eventually {
            testServer.task(1)?.phase == .held && session.home.exists(files("1.part.resume"))
        }
        #expect(isSuspended)
        client.send(.resume(tasks: [1]))
        #expect(await eventually { server.requestCount == 2 })
        // The second request continues at the byte at which the first one stopped.
        #expect(server.heads[1]["Range"] == "bytes=150000-")
        #expect(server.heads[1]["If-Range"] == "\"one\"")
        // After an orderly end, all received bytes are kept.
        testServer.terminate()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(session.home.size(files("1.part")) == 150_000)
        mayGo.raise()
        let next = try TransferServer(session)
        let again = try await next.connectClient()
        let file = try #require(await again.file(of: 1))
        #expect(isSameBytes(session.home.read(file.relative(to: session.home)), bytes))
        #expect(server.heads.last?["Range"] == "bytes=150000-")
        #expect(server.requestCount == 3)
        again.leave()
    }

    @Test("B-01 bytes that a killed process wrote after its resume data are requested again")
    func killed() async throws {
        let bytes = PseudoRandom.bytes(400_000)
        let mayGo = Flag()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard !mayGo.isUp else { return try Self.serve(bytes, head, connection) }
            try Self.serve(bytes, head, connection, upTo: 100_000)
            connection.pause(.milliseconds(1_100))
            try connection.send(Array(bytes[100_000..<120_000]))
            try connection.waitForPeerToClose()
        }
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        let part = session.home.path(files("1.part"))
        // The process cannot change or remove files under other names.
        #expect(
            await eventually(within: .seconds(20)) {
                (try? ResumeFile(of: part).read())?.receivedBytes ?? 0 > 0
            }
        )
        let kept = session.home.path("kept")
        #expect(link(part, kept) == 0)
        let resume = try #require(session.home.read(files("1.part.resume")))
        let known = try ResumeData(Data(resume)).receivedBytes
        testServer.kill()
        let isGone = await eventually {
            !session.home.exists(files("1.part")) && !session.home.exists(files("1.part.resume"))
        }
        #expect(isGone)
        let file = open(kept, O_WRONLY | O_APPEND)
        write(file, "what the disk had not been asked for", 36)
        close(file)
        #expect(rename(kept, part) == 0)
        try session.home.write(resume, to: files("1.part.resume"))
        mayGo.raise()
        let next = try TransferServer(session)
        let again = try await next.connectClient()
        let whole = try #require(await again.file(of: 1))
        #expect(isSameBytes(session.home.read(whole.relative(to: session.home)), bytes))
        #expect(server.heads.last?["Range"] == "bytes=\(known)-")
        again.leave()
    }

    @Test("a complete body that is not reported yet is not requested again")
    func found() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "not to be requested")
        }
        let files = TransferFiles(session.home.path(session.name + "/files"), task: 1)
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let path = try session.home.write("a body", to: self.files("1.part"))
        let response = StoredResponse(
            url: "http://h/",
            status: 200,
            fields: StoredHeader(HTTPHeaderFields(["A": "b"]))
        )
        let task = try BackgroundTaskRecord.make(1, server.url())
        client.send(.make(tasks: [task]))
        #expect(await eventually { client.has(.made(tasks: [1])) })
        testServer.terminate()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        _ = try files.finish(path, response)
        let next = try TransferServer(session)
        let again = try await next.connectClient()
        again.send(.resume(tasks: [1]))
        let file = try #require(await again.file(of: 1))
        #expect(session.home.readText(file.relative(to: session.home)) == "a body")
        #expect(try await again.waitForEnd(of: 1).response == response)
        #expect(!server.wasCalled)
        again.leave()
    }

    @Test("a large complete body is found after a crash", arguments: [0, 1])
    func foundElsewhere(excess: Int) throws {
        let folder = try TemporaryFolder("found")
        let record = taskRecord(1, destination: folder.path("file"))
        let files = TransferFiles(folder.path, record, token: "t1")
        let length = Int(TransferFiles.repeatedRequestLimit) + excess
        try folder.write([UInt8](repeating: 7, count: length), to: ".fetch-t1-1.part")
        let response = StoredResponse(url: "http://h/", status: 200, fields: StoredHeader())
        let file = try files.finish(files.part, response)
        #expect(folder.exists(".fetch-t1-1.whole") == (excess > 0))
        let found = files.found()
        #expect(found?.file == (excess > 0 ? file : nil))
        #expect(found?.response == (excess > 0 ? response : nil))
        // Nor is a small one requested again that could not be moved.
        files.keepHead(response)
        #expect(files.found()?.response == response)
    }

    @Test("T-07 a file that replaces the part does not become the download")
    func swapped() throws {
        let folder = try TemporaryFolder("swapped")
        let files = TransferFiles(folder.path, task: 1)
        try folder.write("received", to: "1.part")
        let received = try FileDescriptor.open(FilePath(files.part), .readOnly)
        defer { try? received.close() }
        try #require(rename(files.part, folder.path("gone")) == 0)
        try folder.write("theirs", to: "1.part")
        #expect(throws: URLError.self) {
            try files.finish(files.part, nil, received: received)
        }
        #expect(folder.readText("1.part") == "theirs")
        #expect(folder.readText("1.whole") == nil)
        let link = folder.path("secret")
        try folder.write("secret", to: "secret")
        try #require(unlink(files.part) == 0 && symlink(link, files.part) == 0)
        #expect(throws: URLError.self) { try files.finish(files.part, nil) }
        try #require(unlink(files.part) == 0 && mkfifo(files.part, 0o600) == 0)
        #expect(throws: URLError.self) { try files.finish(files.part, nil) }
        #expect(folder.readText("secret") == "secret")
    }

    @Test("a cancelled task leaves no file")
    func cancelled() async throws {
        let bytes = PseudoRandom.bytes(200_000)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try Self.serve(bytes, head, connection, upTo: 100_000)
            try connection.waitForPeerToClose()
        }
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url()))
        #expect(await eventually { testServer.received(1) >= 100_000 })
        client.send(.cancel(tasks: [1]))
        let end = try await client.waitForEnd(of: 1)
        #expect(end.error?.urlError.code == .cancelled)
        let isGone = await eventually {
            !session.home.exists(files("1.part")) && !session.home.exists(files("1.part.resume"))
        }
        #expect(isGone)
        client.leave()
    }

    @Test("a download to another disk is received there, with its mode and time")
    func otherDisk() async throws {
        let folder = "/dev/shm/fetch-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
        #expect(mkdir(folder, 0o700) == 0)
        defer {
            for name in FolderListing.names(folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                    + "Content-Length: 8\r\n\r\nhalf"
            )
            try mayGo.wait()
            try connection.send("half")
        }
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(try .make(1, server.url(), to: folder + "/NAME") { $0.replaces = true })
        #expect(await eventually { FolderListing.names(folder).count == 1 })
        #expect(FolderListing.names(folder).allSatisfy { $0.hasPrefix(".fetch-") })
        mayGo.open()
        let file = try #require(await client.file(of: 1))
        #expect(file.path == folder + "/NAME")
        #expect(FolderListing.names(folder) == ["NAME"])
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        #expect(status.st_mode & 0o777 == NewFileMode.current)
        #expect(status.st_mtim.tv_sec == 784_111_777)
        client.leave()
    }

    /// Responds with a file that has an entity tag and supports ranges, perhaps only up to a byte.
    static func serve(
        _ bytes: [UInt8],
        _ head: HTTPHead,
        _ connection: SocketConnection,
        upTo end: Int? = nil
    ) throws {
        let start = head["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        var lines = ["HTTP/1.1 \(start > 0 ? 206 : 200) OK", "ETag: \"one\""]
        if start > 0 {
            lines.append("Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
        }
        lines.append("Content-Length: \(bytes.count - start)")
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let end = end ?? bytes.count
        if start < end { try connection.send(Array(bytes[start..<end])) }
    }
}

extension BackgroundFile {
    /// The file's path in a test's folder.
    func relative(to home: TestSupport.TemporaryFolder) -> String {
        String(path.dropFirst(home.path.count + 1))
    }
}
