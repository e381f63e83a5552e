import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Completion and errors", .timeLimit(.minutes(1)))
struct CompletionTests {
    @Test("T-13 each task completes exactly once, last of all its calls, at any cancel")
    func exactlyOnce() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t13.bin", size: 500_000)
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        var tasks: [URLSessionTask] = []
        for number in 0..<60 {
            let address = try url(nginx.url(file))
            let task: URLSessionTask =
                number % 2 == 0
                ? session.dataTask(with: address) : session.downloadTask(with: address)
            tasks.append(task)
            task.resume()
            if number % 3 == 0 {
                Task.detached {
                    for _ in 0..<(number * 20) { await Task.yield() }
                    task.cancel()
                    task.cancel()
                }
            }
        }
        session.finishTasksAndInvalidate()
        #expect(await eventually(within: .seconds(20)) { recorder.calls().last == .invalid })
        for task in tasks {
            let calls = recorder.calls(task)
            let completions = calls.filter { if case .completed = $0 { true } else { false } }
            #expect(completions.count == 1)
            #expect(calls.last == completions.first)
            #expect([.completed(nil), .completed(.cancelled)].contains(completions.first))
            #expect(task.state == .completed)
        }
    }

    @Test("T-13 the error is nil on success, and cancelled after cancel")
    func cancelled() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { server.requestCount == 1 })
        task.cancel()
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect((task.error as? URLError)?.code == .cancelled)
        #expect(recorder.calls(task) == [.completed(.cancelled)])
    }

    @Test("T-13 a cancelled Swift task that waits ends the session's task")
    func structured() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url())
        let waiting = Task { await errorCode { _ = try await session.data(from: address) } }
        #expect(await eventually { server.requestCount == 1 })
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }

    @Test("T-14 the codes are Foundation's numbers")
    func numbers() {
        let numbers: [URLError.Code: Int] = [
            .unknown: -1, .cancelled: -999, .timedOut: -1_001, .unsupportedURL: -1_002,
            .cannotFindHost: -1_003, .cannotConnectToHost: -1_004,
            .networkConnectionLost: -1_005, .httpTooManyRedirects: -1_007,
            .notConnectedToInternet: -1_009, .userCancelledAuthentication: -1_012,
            .requestBodyStreamExhausted: -1_021, .secureConnectionFailed: -1_200,
            .clientCertificateRequired: -1_206, .cannotCreateFile: -3_000,
            .cannotWriteToFile: -3_003,
        ]
        for (code, number) in numbers { #expect(code.rawValue == number) }
    }

    /// A failing address, and its code.
    static let addresses: [(String, URLError.Code)] = [
        ("http://127.0.0.1:1/", .cannotConnectToHost),
        // Too long for the DNS, so that the lookup asks no server.
        ("http://\(String(repeating: "a", count: 64)).invalid/", .cannotFindHost),
        ("ftp://127.0.0.1/", .unsupportedURL),
        ("http:///path", .badURL),
        ("http://127.0.0.1:99999/", .badURL),
        ("mailto:user", .unsupportedURL),
    ]

    @Test("T-14 an unreachable address has its code", arguments: addresses)
    func unreachable(address: String, code: URLError.Code) async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        #expect(await errorCode { _ = try await session.data(from: url(address)) } == code)
    }

    /// A server's message, and its code.
    static let brokenMessages: [(String, URLError.Code)] = [
        ("", .networkConnectionLost),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .networkConnectionLost),
        ("HTTP/1.1 200 OK\r\nContent-Le", .networkConnectionLost),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .networkConnectionLost),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab", .badServerResponse),
        ("not http at all\r\n\r\n", .badServerResponse),
        ("HTTP/1.1 hello\r\n\r\n", .badServerResponse),
        (
            "HTTP/1.1 200 OK\r\n"
                + String(repeating: "X: \(String(repeating: "y", count: 1_000))\r\n", count: 300),
            .badServerResponse
        ),
    ]

    @Test("T-14 a broken response has its code", arguments: brokenMessages)
    func broken(message: String, code: URLError.Code) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(message)
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let got = await errorCode { _ = try await session.data(from: url(server.url())) }
        #expect(got == code, "\(message.prefix(60))")
        try server.verify()
    }

    @Test(
        "T-14 a reset is a lost connection, before the head and in the body",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"]
    )
    func reset(message: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            if !message.isEmpty { try connection.send(message) }
            connection.reset()
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: url(server.url())) }
        #expect(code == .networkConnectionLost)
    }

    @Test(
        "T-14 the client reads interim responses, and Latin-1, folded and reasonless heads",
        arguments: [
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nX-Name: caf\u{e9}\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
            "HTTP/1.1 200 OK\r\nX-Fold: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: t\r\n\r\n",
            "HTTP/1.0 200 OK\r\n\r\nok",
        ]
    )
    func odd(message: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(message.unicodeScalars.map { UInt8($0.value) })
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == "ok")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
}
