import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Background uploads", .timeLimit(.minutes(2)))
struct BackgroundUploadTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    @Test("B-01 an upload sends the file as it was when the task was made")
    func copied() async throws {
        let nginx = try Nginx.shared
        let bytes = PseudoRandom.bytes(100_000)
        let file = try session.home.write(bytes, to: "body")
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let task = try BackgroundTaskRecord.make(
            1,
            nginx.url("/dav/background-copied"),
            sending: file
        )
        client.send(.make(tasks: [task]))
        #expect(await eventually { client.has(.made(tasks: [1])) })
        try session.home.write("something else", to: "body")
        // A client that has missed the reply repeats its request.
        client.send(.make(tasks: [task]))
        client.send(.resume(tasks: [1]))
        let end = try await client.waitForEnd(of: 1)
        #expect(end.error == nil)
        #expect(end.response?.status == 201)
        #expect(isSameBytes(nginx.uploaded("background-copied"), bytes))
        client.leave()
    }

    @Test("requests after a file that is being copied wait, and are carried out in order")
    func ordered() async throws {
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let file = try session.home.write(PseudoRandom.bytes(1_000_000), to: "body")
        for number in 1...20 {
            client.send(.make(tasks: [try .make(number, "http://127.0.0.1:1/", sending: file)]))
            client.send(.cancel(tasks: [number]))
        }
        #expect(await eventually { client.end(of: 20) != nil })
        for number in 1...20 { #expect(client.has(.made(tasks: [number]))) }
        client.leave()
    }

    @Test("B-01 the response's body is a file, and without a body there is no file")
    func responseBody() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let body = try connection.readBody(head)
            if head.target == "/empty" {
                try connection.respond("201 Created")
            } else {
                try connection.respond(body: "got \(body.count)")
            }
        }
        let file = try session.home.write(PseudoRandom.bytes(50_000), to: "body")
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        client.run(
            try .make(1, server.url("/"), sending: file),
            try .make(2, server.url("/empty"), sending: file)
        )
        let received = try #require(await client.file(of: 1))
        #expect(session.home.readText(received.relative(to: session.home)) == "got 50000")
        #expect(try await client.waitForEnd(of: 2).response?.status == 201)
        #expect(await client.file(of: 2) == nil)
        client.leave()
    }

    @Test("an upload fails if its file changes meanwhile, whatever the response")
    func changed() async throws {
        let bytes = PseudoRandom.bytes(17 << 20)
        let hasBegun = Flag()
        let mayGo = Flag()
        let server = try SocketServer(receiveBuffer: 4_096) { connection in
            let head = try connection.readHead()
            _ = try connection.read(exactly: 4_096)
            hasBegun.raise()
            while !mayGo.isUp { connection.pause(.milliseconds(10)) }
            _ = try connection.read(exactly: (Int(head["Content-Length"] ?? "") ?? 0) - 4_096)
            try connection.respond(body: "thanks")
        }
        let file = try session.home.write(bytes, to: "body")
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let task = try BackgroundTaskRecord.make(1, server.url(), sending: file)
        client.run(task)
        #expect(await eventually(within: .seconds(20)) { hasBegun.isUp })
        // If the file system shares blocks, a copy is sent; then the copy must not change.
        let sent = try #require(testServer.task(1)?.record.body).file.path
        let descriptor = open(sent, O_WRONLY)
        #expect(ftruncate(descriptor, 17 << 20 - 1) == 0)
        pwrite(descriptor, "x", 1, 17 << 20)
        close(descriptor)
        mayGo.raise()
        let end = try await client.waitForEnd(of: 1)
        #expect(end.error?.urlError.code == .cannotOpenFile)
        client.leave()
    }

    @Test("a POST that a killed process may have sent is not repeated")
    func unrepeatable() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.waitForPeerToClose()
        }
        let file = try session.home.write("one order", to: "body")
        let testServer = try TransferServer(session)
        let client = try await testServer.connectClient()
        let task = try BackgroundTaskRecord.make(1, server.url(), sending: file) { draft in
            draft.request.httpMethod = "POST"
        }
        client.run(task)
        #expect(await eventually { server.requestCount == 1 })
        testServer.kill()
        let next = try TransferServer(session)
        let again = try await next.connectClient()
        let end = try await again.waitForEnd(of: 1)
        #expect(end.error?.urlError.code == .networkConnectionLost)
        #expect(end.error?.detail.contains("POST is not repeated") == true)
        #expect(server.requestCount == 1)
        again.leave()
    }
}
