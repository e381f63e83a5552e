import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Streams of a declared length", .timeLimit(.minutes(1)))
struct DeclaredLengthTests {
    private func read(_ stream: any HTTPBodyStream, piece: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var space = [UInt8](repeating: 0, count: piece)
        while true {
            let read = try space.withUnsafeMutableBytes { try stream.read(into: $0) }
            guard case .bytes(let count) = read else { return bytes }
            bytes += space[..<count]
        }
    }

    @Test(
        "a stream of the declared length is sent completely",
        arguments: [8, 4_096, 20_000],
        [1, 7, 4_096, 100_000]
    )
    func whole(length: Int, piece: Int) throws {
        let stream = DeclaredLengthStream(NonReplayableStream(length), length: Int64(length))
        #expect(stream.contentLength == Int64(length))
        #expect(isSameBytes(try read(stream, piece: piece), NonReplayableStream.bytes(length)))
    }

    @Test(
        "a stream with more bytes or fewer fails before its last byte",
        arguments: [1, 7, 100_000]
    )
    func other(piece: Int) throws {
        for length: Int64 in [1, 799, 801, 100_000] {
            let stream = DeclaredLengthStream(NonReplayableStream(800), length: length)
            var sent = 0
            let error = #expect(throws: URLError.self) {
                var space = [UInt8](repeating: 0, count: piece)
                while true {
                    let read = try space.withUnsafeMutableBytes { try stream.read(into: $0) }
                    guard case .bytes(let count) = read else { return }
                    sent += count
                }
            }
            #expect(error?.code == .cannotOpenFile)
            #expect(sent < length)
        }
    }

    @Test("T-06 an explicit Content-Length of a streamed upload is the length, also in the counts")
    func wire() async throws {
        let length = 3_000_000
        let got = Mutex<[UInt8]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let body = try connection.readBody(head)
            got.withLock { $0 = body }
            // The server makes the client send the body again.
            let isFirst = head.target == "/first"
            try connection.respond(
                isFirst ? "307 There" : "200 OK",
                isFirst ? ["Location: /next", "Connection: close"] : []
            )
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url("/first"))
        request.httpMethod = "PUT"
        request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
        let task = session.uploadTask(withStreamedRequest: request)
        task.delegate = SpoolingDelegate(BodySpool(NonReplayableStream(length)))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(isSameBytes(got.withLock { $0 }, NonReplayableStream.bytes(length)))
        #expect(server.heads.map { $0.values("Content-Length") } == [["\(length)"], ["\(length)"]])
        #expect(server.heads.allSatisfy { $0["Transfer-Encoding"] == nil })
        #expect(task.countOfBytesExpectedToSend == Int64(length))
        #expect(task.countOfBytesSent == Int64(length))
    }

    @Test("T-06 the task fails where the stream has another length", arguments: [792, 808])
    func mismatch(declared: Int) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readBody(try connection.readHead())
            try connection.respond(body: "never")
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = "PUT"
        request.setValue("\(declared)", forHTTPHeaderField: "Content-Length")
        let task = session.uploadTask(withStreamedRequest: request)
        task.delegate = SpoolingDelegate(BodySpool(NonReplayableStream(800)))
        task.resume()
        #expect(await recorder.completion(of: task) == .cannotOpenFile)
        #expect((task.error as? URLError)?.detail.contains("is \(declared)") == true)
    }
}
