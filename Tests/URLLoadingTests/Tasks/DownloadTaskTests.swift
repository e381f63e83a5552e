import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Download tasks", .timeLimit(.minutes(1)))
struct DownloadTaskTests {
    @Test("T-07 the body is in a file that is gone when the callback returns")
    func temporary() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t07.bin", size: 3 << 20)
        let seen = Mutex<(path: String, bytes: [UInt8])?>(nil)
        let recorder = RecordingDelegate(
            .init(finished: { location in
                let bytes = (try? Data(contentsOf: location)).map { [UInt8]($0) } ?? []
                seen.withLock { $0 = (location.path, bytes) }
            })
        )
        let session = try URLSession.testing(recorder)
        let task = session.downloadTask(with: try url(nginx.url(file)))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        let result = try #require(seen.withLock { $0 })
        #expect(isSameBytes(result.bytes, PseudoRandom.bytes(3 << 20)))
        session.finishTasksAndInvalidate()
        #expect(await eventually { access(result.path, F_OK) != 0 })
        #expect(recorder.calls(task).suffix(2) == [.finished, .completed(nil)])
    }

    @Test("T-07 a file that the delegate moves stays, and one that it opens is readable")
    func moved() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t07-moved.bin", size: 100_000)
        let folder = try TemporaryFolder()
        let descriptor = Mutex<CInt>(-1)
        let recorder = RecordingDelegate(
            .init(finished: { location in
                descriptor.withLock { $0 = open(location.path, O_RDONLY) }
                link(location.path, folder.path("kept"))
            })
        )
        let session = try URLSession.testing(recorder) {
            $0.transport.temporaryFolder = folder.path
        }
        let task = session.downloadTask(with: try url(nginx.url(file)))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        session.finishTasksAndInvalidate()
        #expect(await eventually { folder.names() == ["kept"] })
        #expect(folder.size("kept") == 100_000)
        let opened = descriptor.withLock { $0 }
        var byte: UInt8 = 0
        #expect(read(opened, &byte, 1) == 1)
        close(opened)
    }

    @Test("T-07 progress adds up to the announced length")
    func progress() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t07-progress.bin", size: 8 << 20)
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: try url(nginx.url(file)))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        var total: Int64 = 0
        for case .wrote(let bytes, let all, let expected) in recorder.calls(task) {
            total += bytes
            #expect(all == total)
            #expect(expected == 8 << 20)
        }
        #expect(total == 8 << 20)
        #expect(task.countOfBytesReceived == 8 << 20)
    }

    @Test("T-07 a part file is at the caller's path, and gone after a failure")
    func partFile() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        }
        let folder = try TemporaryFolder()
        let part = URL(filePath: folder.path("name.part"))
        let recorder = RecordingDelegate(.init(destination: .partFile(part)))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: try url(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == .networkConnectionLost)
        #expect(folder.names() == [])
        #expect(!recorder.calls(task).contains(.finished))
    }

    @Test("T-07 the task refuses a symbolic link, a folder or a FIFO in the part file's place")
    func hostilePartFiles() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder()
        let victim = try folder.write("precious", to: "victim")
        symlink(victim, folder.path("link"))
        symlink(folder.path("nowhere"), folder.path("dangling"))
        mkfifo(folder.path("fifo"), 0o600)
        _ = try folder.makeFolder("folder")
        for name in ["link", "dangling", "fifo", "folder", "missing/name"] {
            let part = URL(filePath: folder.path(name))
            let recorder = RecordingDelegate(.init(destination: .partFile(part)))
            let session = try URLSession.testing(recorder)
            defer { session.finishTasksAndInvalidate() }
            let task = session.downloadTask(with: try url(nginx.url("/files/hello.txt")))
            task.resume()
            #expect(await recorder.completion(of: task) == .cannotCreateFile, "\(name)")
        }
        #expect(folder.readText("victim") == "precious")
        #expect(folder.names() == ["dangling", "fifo", "folder", "link", "victim"])
    }

    /// A server that sends `ab`: the second byte only with the test's permission.
    private func halting(_ mayGoOn: @escaping @Sendable () -> Bool) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
            while !mayGoOn() { connection.pause(.milliseconds(5)) }
            try connection.send("b")
        }
    }

    @Test("T-07 a second download to one part file fails, and the first is whole")
    func locked() async throws {
        let mayGoOn = Flag()
        let server = try halting { mayGoOn.isUp }
        let folder = try TemporaryFolder()
        let part = URL(filePath: folder.path("name.part"))
        let recorder = RecordingDelegate(
            .init(destination: .partFile(part), finished: { rename($0.path, folder.path("name")) })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let first = session.downloadTask(with: try url(server.url("/first")))
        first.resume()
        #expect(await eventually { folder.exists("name.part") })
        let second = session.downloadTask(with: try url(server.url("/second")))
        second.resume()
        #expect(await recorder.completion(of: second) == .cannotCreateFile)
        mayGoOn.raise()
        #expect(await recorder.completion(of: first) == nil)
        #expect(folder.readText("name") == "ab")
        #expect(folder.names() == ["name"])
    }

    @Test("T-07 a cancel removes the part file before the last call")
    func cancelled() async throws {
        let mayGoOn = Flag()
        defer { mayGoOn.raise() }
        let server = try halting { mayGoOn.isUp }
        let folder = try TemporaryFolder()
        let part = URL(filePath: folder.path("name.part"))
        let recorder = RecordingDelegate(.init(destination: .partFile(part)))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { folder.exists("name.part") })
        task.cancel()
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect(folder.names() == [])
    }

    @Test("T-07 download(for:) gives the caller a file to keep")
    func async() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder()
        let session = try URLSession.testing { $0.transport.temporaryFolder = folder.path }
        let (location, response) = try await session.download(
            from: try url(nginx.url("/files/hello.txt"))
        )
        session.finishTasksAndInvalidate()
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(folder.names() == [location.lastPathComponent])
        #expect(!(try Data(contentsOf: location)).isEmpty)
    }
}
