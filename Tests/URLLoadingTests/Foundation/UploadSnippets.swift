import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: uploads", .timeLimit(.minutes(1)))
struct UploadSnippets {
    private let server: AppServer
    private let session = URLSession(configuration: appConfiguration())
    private let folder: TemporaryFolder

    init() throws {
        server = try AppServer()
        folder = try TemporaryFolder()
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
        _ = try await session.upload(for: request, from: Data(count: 5_000), delegate: counter)
        let (sent, expected) = counter.last.withLock { $0 }
        #expect(sent == 5_000)
        #expect(expected == 5_000)
    }

    @Test func suppliesABodyStreamAsynchronously() async throws {
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
}
