import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Continuing downloads", .timeLimit(.minutes(1)))
struct ResumingTests: ResumingSuite {
    let folder: TestSupport.TemporaryFolder
    let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    @Test("T-08 a failed download continues at its last byte")
    func goesOn() async throws {
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server)
        file.change { _ in }
        let calls = try await resumeDownload(data)
        #expect(calls.first == .resumed(at: 100_000, expected: 300_000))
        #expect(calls.suffix(2) == [.finished, .completed(nil)])
        #expect(isSameBytes(folder.read("whole"), bytes))
        #expect(folder.names() == ["whole"])
        #expect(server.heads.last?.values("Range") == ["bytes=100000-"])
        #expect(server.heads.last?.values("If-Range") == ["\"one\""])
        var total: Int64 = 100_000
        for case .wrote(let bytes, let all, let expected) in calls {
            total += bytes
            #expect((all, expected) == (total, 300_000))
        }
        #expect(total == 300_000)
    }

    @Test("T-08 a server that confirms a complete file is reported as a continuation at its end")
    func complete() async throws {
        let file = FileOnServer(bytes, hasLength: false)
        let server = try server(file)
        let data = try await resumeData(server)
        // The whole file was in the part.
        file.change { $0.bytes.removeLast(200_000) }
        let calls = try await resumeDownload(data)
        #expect(calls == [.resumed(at: 100_000, expected: 100_000), .finished, .completed(nil)])
        #expect(isSameBytes(folder.read("whole"), bytes.prefix(100_000)))
    }

    @Test("T-08 a download continues as often as the server cuts it short")
    func manyTimes() async throws {
        let file = FileOnServer(bytes, cutAfter: 70_000)
        let server = try server(file)
        var data: Data? = try await resumeData(server)
        for start in [70_000, 140_000, 210_000] as [Int64] {
            let recorder = recorder()
            let session = try session(recorder)
            defer { session.finishTasksAndInvalidate() }
            let task = session.downloadTask(withResumeData: try #require(data))
            task.resume()
            #expect(await recorder.completion(of: task) == .networkConnectionLost)
            #expect(recorder.calls(task)[1] == .resumed(at: start, expected: 300_000))
            data = (task.error as? URLError)?.downloadTaskResumeData
        }
        _ = try await resumeDownload(try #require(data))
        #expect(isSameBytes(folder.read("whole"), bytes))
    }

    @Test("T-08 cancel(byProducingResumeData:) returns data for downloadTask(withResumeData:)")
    func cancelling() async throws {
        let nginx = try Nginx.shared
        try nginx.addLargeFile("t08-cancel.bin", size: 400_000)
        let recorder = recorder()
        let session = try session(recorder)
        defer { session.finishTasksAndInvalidate() }
        // The whole takes a quarter of a minute; the rest comes at once, because it is a part.
        let slow = nginx.url("/slow-at-first/t08-cancel.bin?rate=25000")
        let task = session.downloadTask(with: try url(slow))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived > 20_000 })
        let data = try #require(await task.cancelByProducingResumeData())
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect((task.error as? URLError)?.downloadTaskResumeData == data)
        let calls = try await resumeDownload(data)
        guard case .resumed(let offset, 400_000)? = calls.first else {
            Issue.record("\(calls)")
            return
        }
        #expect(offset > 20_000)
        #expect(isSameBytes(folder.read("whole"), PseudoRandom.bytes(400_000)))
        let again = await task.cancelByProducingResumeData()
        #expect(again == nil, "a task that has ended has none")
    }

    @Test("T-08 a plain cancel leaves neither resume data nor a file")
    func plainCancel() async throws {
        let nginx = try Nginx.shared
        try nginx.addLargeFile("t08-plain.bin", size: 400_000)
        let recorder = recorder()
        let session = try session(recorder)
        defer { session.finishTasksAndInvalidate() }
        let slow = nginx.url("/slow/t08-plain.bin?rate=20000")
        let task = session.downloadTask(with: try url(slow))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived > 0 })
        task.cancel()
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect((task.error as? URLError)?.downloadTaskResumeData == nil)
        #expect(folder.names() == [])
    }

    @Test("T-08 a task cancelled before its response, or before it ran, returns its resume data")
    func givenBack() async throws {
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server)
        let session = try session(recorder())
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(withResumeData: data)
        #expect(await task.cancelByProducingResumeData() == data)
        server.stop()
        let calls = try await resumeDownload(data)
        #expect(calls == [.completed(.cannotConnectToHost)])
        #expect(folder.names().count == 1, "the part is still there")
    }

    @Test("T-08 a download without a strong validator leaves neither resume data nor a file")
    func noValidator() async throws {
        for change in [
            { $0.entityTag = nil }, { $0.entityTag = "W/\"weak\"" },
            { $0.fields = ["Accept-Ranges: none"] },
        ] as [(inout ServedFile) -> Void] {
            let file = FileOnServer(bytes)
            file.change {
                $0.cutAfter = 10
                change(&$0)
            }
            let server = try server(file)
            let recorder = recorder()
            let session = try session(recorder)
            defer { session.finishTasksAndInvalidate() }
            let task = session.downloadTask(with: try url(server.url()))
            task.resume()
            #expect(await recorder.completion(of: task) == .networkConnectionLost)
            #expect((task.error as? URLError)?.downloadTaskResumeData == nil)
            #expect(folder.names() == [])
        }
    }

    @Test("T-08 a download continues by a date as the only validator")
    func byDate() async throws {
        let date = "Sun, 06 Nov 1994 08:00:00 GMT"
        let file = FileOnServer(bytes)
        file.change {
            $0.cutAfter = 1_000
            $0.entityTag = nil
            $0.lastModified = date
        }
        let server = try server(file)
        let data = try await resumeData(server)
        file.change { _ in }
        let calls = try await resumeDownload(data)
        #expect(calls.first == .resumed(at: 1_000, expected: 300_000))
        #expect(server.heads.last?.values("If-Range") == [date])
        #expect(isSameBytes(folder.read("whole"), bytes))
    }

    @Test("T-08 a part file keeps its resume data beside it, and both go with the last byte")
    func besideThePart() async throws {
        let part = DownloadDestination.partFile(
            URL(filePath: folder.path("name.part")),
            keepsResumeData: true
        )
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server, part)
        #expect(folder.names() == ["name.part", "name.part.resume"])
        let stored = try #require(try ResumeFile(of: folder.path("name.part")).read())
        #expect(stored.encoded == data)
        #expect(stored.receivedBytes == 100_000)
        file.change { _ in }
        let calls = try await resumeDownload(stored.encoded, part)
        #expect(calls.first == .resumed(at: 100_000, expected: 300_000))
        #expect(folder.names() == ["whole"])
        #expect(isSameBytes(folder.read("whole"), bytes))
    }

    @Test("T-08 an error status leaves the part as it is")
    func errorStatus() async throws {
        let file = FileOnServer(bytes)
        let server = try server(file)
        let data = try await resumeData(server)
        file.change { $0.status = 503 }
        let calls = try await resumeDownload(data)
        #expect(calls.last == .completed(nil), "a status is no error")
        file.change { $0.status = nil }
        let resumed = try await resumeDownload(data)
        #expect(resumed.first == .resumed(at: 100_000, expected: 300_000))
        #expect(isSameBytes(folder.read("whole"), bytes))
    }

    @Test("T-08 a 206 that the client did not request is no download")
    func unaskedPart() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-8/9\r\n"
                    + "Content-Length: 4\r\n\r\nrest"
            )
        }
        let recorder = recorder()
        let session = try session(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: try url(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == .badServerResponse)
        #expect(folder.names() == [])
        try server.verify()
    }
}
