import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: downloads", .timeLimit(.minutes(1)))
struct DownloadSnippets {
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
        ) { try? FileManager.default.moveItem(at: location, to: target) }

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
        #expect(await eventually { await session.allTasks.first?.countOfBytesReceived == 100_000 })
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
}
