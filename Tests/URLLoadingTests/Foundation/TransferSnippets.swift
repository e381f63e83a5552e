import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: downloads and uploads", .timeLimit(.minutes(1)))
struct TransferSnippets {
    private let server: AppServer
    private let session = URLSession(configuration: appConfiguration())
    private let folder: TemporaryFolder

    init() throws {
        server = try AppServer()
        folder = try TemporaryFolder()
    }

    @Test func downloadsToAFile() async throws {
        let (location, response) = try await session.download(from: server.url("/file"))
        let name = response.suggestedFilename ?? "download"
        let target = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
        try FileManager.default.moveItem(at: location, to: target)
        #expect(name == "report.bin")
        #expect(try Data(contentsOf: target) == Data(AppServer.fileBytes))
    }

    @Test func downloadsWithACompletionHandler() async throws {
        let target = URL(fileURLWithPath: folder.path("copy"))
        let url = try server.url("/file")
        let error: (any Error)? = await withCheckedContinuation { continuation in
            session.downloadTask(with: url) { location, _, error in
                guard let location else { return continuation.resume(returning: error) }
                do {
                    try FileManager.default.moveItem(at: location, to: target)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }.resume()
        }
        #expect(error == nil)
        #expect(try Data(contentsOf: target).count == 200_000)
    }

    /// Keeps the file and the counts, as delegates of downloads do.
    private final class Downloader: NSObject, URLSessionDownloadDelegate {
        let target: URL
        let fraction = Mutex(0.0)
        let resumedAt = Mutex<Int64?>(nil)
        let end = Mutex<Result<Void, any Error>?>(nil)

        init(_ target: URL) {
            self.target = target
        }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            try? FileManager.default.moveItem(at: location, to: target)
        }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64,
            totalBytesExpectedToWrite: Int64
        ) {
            guard totalBytesExpectedToWrite != NSURLSessionTransferSizeUnknown else { return }
            let part = Double(totalBytesWritten) / Double(totalBytesExpectedToWrite)
            fraction.withLock { $0 = part }
        }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didResumeAtOffset fileOffset: Int64,
            expectedTotalBytes: Int64
        ) {
            resumedAt.withLock { $0 = fileOffset }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            end.withLock { $0 = error.map { .failure($0) } ?? .success(()) }
        }
    }

    @Test func downloadsWithADelegate() async throws {
        let downloader = Downloader(URL(fileURLWithPath: folder.path("file")))
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: downloader,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        session.downloadTask(with: try server.url("/file")).resume()
        #expect(await eventually { downloader.end.withLock { $0 } != nil })
        #expect(downloader.fraction.withLock { $0 } == 1)
        #expect(try Data(contentsOf: downloader.target).count == 200_000)
    }

    @Test func pausesAndResumesADownload() async throws {
        let downloader = Downloader(URL(fileURLWithPath: folder.path("file")))
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: downloader,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: try server.url("/file?slow"))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived >= 100_000 })
        let resumeData = try #require(await task.cancelByProducingResumeData())
        #expect(await eventually { downloader.end.withLock { $0 } != nil })
        downloader.end.withLock { $0 = nil }
        session.downloadTask(withResumeData: resumeData).resume()
        #expect(await eventually { downloader.end.withLock { $0 } != nil })
        // The server's slow response to the whole differs from its response to a range only in speed.
        #expect(try Data(contentsOf: downloader.target) == Data(AppServer.fileBytes))
        #expect(downloader.resumedAt.withLock { $0 } == 100_000)
    }

    @Test func takesResumeDataOfAHandler() async throws {
        let task = session.downloadTask(with: try server.url("/file?slow"))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived >= 100_000 })
        let data: Data? = await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        let (location, _) = try await session.download(resumeFrom: try #require(data))
        #expect(try Data(contentsOf: location) == Data(AppServer.fileBytes))
    }

    @Test func takesResumeDataOfAnError() async throws {
        let url = try server.url("/file?slow")
        let loading = Task { try await session.download(from: url) }
        #expect(
            await eventually { await session.allTasks.first?.countOfBytesReceived == 100_000 }
        )
        let task = await session.allTasks.first as? URLSessionDownloadTask
        task?.cancel(byProducingResumeData: { _ in })
        do {
            _ = try await loading.value
            Issue.record("it was cancelled")
        } catch let error as URLError {
            let nsError = error as NSError
            #expect(nsError.code == NSURLErrorCancelled)
            let data = error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data
            #expect(data != nil)
            #expect(data == error.downloadTaskResumeData)
        }
    }

    @Test func uploadsData() async throws {
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        let body = try JSONEncoder().encode(User(id: 3, name: "Edsger"))
        let (data, response) = try await session.upload(for: request, from: body)
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(data == body)
    }

    @Test func uploadsAFile() async throws {
        let file = URL(fileURLWithPath: folder.path("body"))
        try Data("from a file".utf8).write(to: file)
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "PUT"
        let (data, _) = try await session.upload(for: request, fromFile: file)
        #expect(data == Data("from a file".utf8))
    }

    @Test func uploadsWithACompletionHandler() async throws {
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        let data: Data? = await withCheckedContinuation { [request] continuation in
            let task = session.uploadTask(with: request, from: Data("x".utf8)) { data, _, _ in
                continuation.resume(returning: data)
            }
            task.resume()
        }
        #expect(data == Data("x".utf8))
    }

    @Test func uploadsMultipartFormData() async throws {
        let boundary = "Boundary-\(UUID().uuidString)"
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        request.setValue(
            "multipart/form-data; boundary=\(boundary)",
            forHTTPHeaderField: "Content-Type"
        )
        var body = Data()
        body.append("--\(boundary)\r\n".data(using: .utf8)!)
        body.append("Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n".data(using: .utf8)!)
        body.append("--\(boundary)--\r\n".data(using: .utf8)!)
        let (data, _) = try await session.upload(for: request, from: body)
        #expect(data == body)
    }

    @Test func countsAnUpload() async throws {
        final class Counter: NSObject, URLSessionTaskDelegate {
            let last = Mutex<(Int64, Int64)>((0, 0))

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didSendBodyData bytesSent: Int64,
                totalBytesSent: Int64,
                totalBytesExpectedToSend: Int64
            ) {
                last.withLock { $0 = (totalBytesSent, totalBytesExpectedToSend) }
            }
        }
        let counter = Counter()
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        _ = try await session.upload(
            for: request,
            from: Data(count: 5_000),
            delegate: counter
        )
        let (sent, expected) = counter.last.withLock { $0 }
        #expect(sent == 5_000)
        #expect(expected == 5_000)
    }

    @Test func bringsABodyStreamAsynchronously() async throws {
        final class Body: HTTPBodyStream, Sendable {
            let isRead = Mutex(false)
            let contentLength: Int64? = 2

            func read(
                into space: UnsafeMutableRawBufferPointer
            ) throws(URLError) -> HTTPBodyStreamRead {
                let wasRead = isRead.withLock { isRead in
                    defer { isRead = true }
                    return isRead
                }
                guard !wasRead else { return .end }
                space.copyBytes(from: "ok".utf8)
                return .bytes(2)
            }
        }
        final class Source: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                needNewBodyStreamForTask task: URLSessionTask
            ) async -> (any HTTPBodyStream)? {
                Body()
            }
        }
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        let task = session.uploadTask(withStreamedRequest: request)
        task.delegate = Source()
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect((task.response as? HTTPURLResponse)?.statusCode == 201)
        #expect(task.countOfBytesSent == 2)
    }

    @Test func fallsBackWhereAnUploadCannotBeResumed() async throws {
        let task = session.uploadTask(
            with: URLRequest(url: try server.url("/hang")),
            from: Data("x".utf8)
        )
        task.resume()
        // As with Foundation where the server has no resumable uploads.
        #expect(await task.cancelByProducingResumeData() == nil)
        let resumed = session.uploadTask(withResumeData: Data("none".utf8))
        resumed.resume()
        #expect(await eventually { resumed.state == .completed })
        #expect((resumed.error as? URLError)?.code == .cannotDecodeRawData)
    }

    @Test func cancelsWithTheSwiftTask() async throws {
        let url = try server.url("/hang")
        let loading = Task { try await session.data(from: url) }
        #expect(await eventually { !server.requests.isEmpty })
        loading.cancel()
        await #expect(throws: URLError.self) { try await loading.value }
    }

    @Test func delaysATask() async throws {
        final class Delayed: NSObject, URLSessionTaskDelegate {
            let other: URL
            let asked = Mutex<Date?>(nil)

            init(_ other: URL) {
                self.other = other
            }

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                willBeginDelayedRequest request: URLRequest,
                completionHandler:
                    @escaping (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
            ) {
                asked.withLock { $0 = Date() }
                completionHandler(.useNewRequest, URLRequest(url: other))
            }
        }
        let delegate = Delayed(try server.url("/text"))
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: delegate,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try server.url("/users"))
        let date = Date(timeIntervalSinceNow: 0.3)
        task.earliestBeginDate = date
        task.countOfBytesClientExpectsToSend = 200
        task.countOfBytesClientExpectsToReceive = 1_000
        task.resume()
        #expect(task.progress.totalUnitCount == 1_000 || task.progress.totalUnitCount == 1_200)
        #expect(await eventually { task.state == .completed })
        #expect(try #require(delegate.asked.withLock { $0 }) >= date)
        #expect(task.response?.url?.path == "/text")
        #expect(server.requests.map(\.target) == ["/text"])
    }
}
