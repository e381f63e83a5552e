import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Streamed uploads", .timeLimit(.minutes(1)))
struct StreamedUploadTests {
    @Test("T-05 a streamed upload asks for its stream, and sends it chunked")
    func streamed() async throws {
        let nginx = try Nginx.shared
        let body = PseudoRandom.bytes(400_000)
        let recorder = RecordingDelegate(.init(bodyStream: { _ in UnknownLengthStream(body) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try UploadTaskTests.put("t05", nginx))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .needNewBodyStream)
        #expect(isSameBytes(nginx.uploaded("t05"), body))
    }

    @Test("T-05 a pipe without data pauses the transfer and blocks no other")
    func pipe() async throws {
        let nginx = try Nginx.shared
        var ends: [CInt] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let recorder = RecordingDelegate(.init(bodyStream: { _ in DescriptorBodyStream(reader) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(
            withStreamedRequest: try UploadTaskTests.put("t05-pipe", nginx)
        )
        task.resume()
        #expect(write(writer, "first ", 6) == 6)
        #expect(await eventually { task.countOfBytesSent == 6 })
        // While it waits, another task of the session runs to its end.
        let address = try url(nginx.url("/files/hello.txt"))
        let other = session.dataTask(with: address)
        other.resume()
        #expect(await recorder.completion(of: other) == nil)
        #expect(task.state == .running)
        #expect(write(writer, "second", 6) == 6)
        close(writer)
        #expect(await recorder.completion(of: task) == nil)
        #expect(nginx.uploaded("t05-pipe") == Array("first second".utf8))
        #expect(recorder.calls(task).filter { $0 == .needNewBodyStream }.count == 1)
    }

    @Test(
        "T-05 a refusal before the body was read leaves the stream whole",
        arguments: [401, 407, 417]
    )
    func unread(status: Int) async throws {
        let body = PseudoRandom.bytes(100_000)
        let got = Mutex<[UInt8]>([])
        let isTunnel = status == 407
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head.method == "CONNECT" {
                    let field = "Proxy-Authenticate: Basic realm=\"r\""
                    if head["Proxy-Authorization"] == nil {
                        try connection.respond("407 Who", [field], body: "")
                    } else {
                        try connection.send("HTTP/1.1 200 OK\r\n\r\n")
                    }
                } else if status == 401, head["Authorization"] == nil {
                    let field = "WWW-Authenticate: Basic realm=\"r\""
                    try connection.respond("401 Who", [field], body: "")
                } else if status == 417, head["Expect"] != nil {
                    try connection.respond("417 No", body: "")
                } else {
                    if head["Expect"] != nil {
                        try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
                    }
                    let sent = try connection.readBody(head)
                    got.withLock { $0 = sent }
                    try connection.respond(body: "taken")
                }
            }
        }
        let session = try URLSession.testing { configuration in
            guard isTunnel else { return }
            configuration.transport.proxy = .url(server.url())
            configuration.transport.tunnelsThroughProxy = true
            configuration.transport.proxyCredential = URLCredential(
                user: "u",
                password: "p",
                persistence: .forSession
            )
        }
        defer { session.finishTasksAndInvalidate() }
        let text = server.url().replacing("http://", with: "http://u:p@")
        var request = try request(isTunnel ? "http://host.invalid/" : text)
        request.httpMethod = "PUT"
        request.httpBodyStream = UnknownLengthStream(body)
        let (data, _) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "taken")
        #expect(isSameBytes(got.withLock { $0 }, body))
    }

    @Test(
        "T-05 a 307 makes the task ask for the stream again, and the body arrives whole",
        arguments: [307, 308]
    )
    func redirected(code: Int) async throws {
        let body = PseudoRandom.bytes(100_000)
        let got = Mutex<[UInt8]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let received = try connection.readBody(head)
            if head.target == "/first" {
                try connection.respond("\(code) Moved", ["Location: second"])
            } else {
                got.withLock { $0 = received }
                try connection.respond()
            }
        }
        let recorder = RecordingDelegate(.init(bodyStream: { _ in UnknownLengthStream(body) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url("/first")))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).filter { $0 == .needNewBodyStream }.count == 2)
        #expect(isSameBytes(got.withLock { $0 }, body))
        #expect(server.heads.map(\.method) == ["PUT", "PUT"])
    }

    @Test("T-05 a stream that cannot begin again fails the task, and no empty body is ever sent")
    func exhausted() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readBody(connection.readHead())
            try connection.respond("307 Again", ["Location: /again"])
        }
        let recorder = RecordingDelegate(
            .init(bodyStream: { $0 == 1 ? UnknownLengthStream(Array("once".utf8)) : nil })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == .requestBodyStreamExhausted)
        #expect(server.requestCount == 1)
    }

    @Test("T-06 the length of a stream is −1 where it is unknown")
    func unknownLength() async throws {
        let nginx = try Nginx.shared
        let recorder = RecordingDelegate(
            .init(bodyStream: { _ in UnknownLengthStream(PseudoRandom.bytes(100_000)) })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(
            withStreamedRequest: try UploadTaskTests.put("t06-unknown", nginx)
        )
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        let sent = recorder.calls(task).compactMap { call -> Int64? in
            guard case .sent(_, let total, -1) = call else { return nil }
            return total
        }
        #expect(sent.last == 100_000)
    }

    @Test(
        "T-05 a refusal ends the task also while its body has nothing to send",
        arguments: [401, 413, 503]
    )
    func refusedWhileWaiting(status: Int) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let fields = status == 503 ? ["Connection: close"] : []
            try connection.respond("\(status) No", fields, body: "no")
            try connection.waitForPeerToClose()
        }
        var ends: [CInt] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer {
            close(reader)
            close(writer)
        }
        let recorder = RecordingDelegate(.init(bodyStream: { _ in DescriptorBodyStream(reader) }))
        let session = try URLSession.testing(recorder)
        defer { session.invalidateAndCancel() }
        let task = session.uploadTask(withStreamedRequest: try request(server.url()))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect((task.response as? HTTPURLResponse)?.statusCode == status)
    }
}

/// Bytes as a stream of unknown length.
final class UnknownLengthStream: HTTPBodyStream {
    private let stream: DataBodyStream

    init(_ bytes: [UInt8]) {
        stream = DataBodyStream(Data(bytes))
    }

    var contentLength: Int64? { nil }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try stream.read(into: space)
    }
}
