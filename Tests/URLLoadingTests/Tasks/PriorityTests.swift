import Foundation
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Priority on the wire", .timeLimit(.minutes(1)))
struct PriorityTests {
    /// A server that implements just enough of HTTP/2 (RFC 9113) to take requests one after another over
    /// one connection, and records the received weights.
    private final class Server: Sendable {
        let socket: SocketServer
        private let seen: Weights

        final class Weights: Sendable {
            let values = Mutex<[Int]>([])
            let isDelayed = Flag()
        }

        var weights: [Int] { seen.values.withLock { $0 } }

        // The stream `delayed` has its response only after a PRIORITY frame for it.
        init(holding delayed: Int? = nil) throws {
            let seen = Weights()
            self.seen = seen
            socket = try SocketServer { connection in
                _ = try connection.readHead()
                try connection.send(
                    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
                )
                try connection.send(Self.frame(type: 4, stream: 0, []))
                // The HTTP/1.1 request is stream 1.
                try connection.send(Self.response(to: 1))
                _ = try connection.read(exactly: 24)
                while true {
                    let head = try connection.read(exactly: 9)
                    let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
                    let payload = try connection.read(exactly: length)
                    let stream = Int(head[7]) << 8 | Int(head[8])
                    switch head[3] {
                    case 1:
                        let hasPriority = head[4] & 0x20 != 0
                        seen.values.withLock { $0.append(hasPriority ? Int(payload[4]) + 1 : 16) }
                        if stream == delayed {
                            seen.isDelayed.raise()
                            // libcurl sends it with the next bytes in either direction.
                            let ping = Self.frame(type: 6, stream: 0, Array(repeating: 0, count: 8))
                            Thread.detachNewThread {
                                let pings = Array(repeating: ping, count: 400).flatMap(\.self)
                                try? connection.sendSlowly(
                                    pings,
                                    piece: ping.count,
                                    every: .milliseconds(50)
                                )
                            }
                        } else {
                            try connection.send(Self.response(to: stream))
                        }
                    case 2 where stream == delayed:
                        seen.values.withLock { $0.append(Int(payload[4]) + 1) }
                        try connection.send(Self.response(to: stream))
                    case 4 where head[4] & 1 == 0:
                        try connection.send(Self.frame(type: 4, flags: 1, stream: 0, []))
                    default: break
                    }
                }
            }
        }

        var isHolding: Bool { seen.isDelayed.isUp }

        private static func frame(
            type: UInt8,
            flags: UInt8 = 0,
            stream: Int,
            _ payload: [UInt8]
        ) -> [UInt8] {
            [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, UInt8(stream)] + payload
        }

        /// `:status: 200` (RFC 7541 appendix A), and the end of the stream.
        private static func response(to stream: Int) -> [UInt8] {
            frame(type: 1, flags: 0x05, stream: stream, [0x88])
        }
    }

    @Test("T-01 a task's priority is the weight of its HTTP/2 stream")
    func weight() async throws {
        let server = try Server()
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) { $0.transport.httpVersion = .http2 }
        defer { session.invalidateAndCancel() }
        let address = try url(server.socket.url("/"))
        for priority: Float in [0.5, URLSessionTask.lowPriority, URLSessionTask.highPriority, 1, 0]
        {
            let task = session.dataTask(with: address)
            task.priority = priority
            task.resume()
            #expect(await recorder.completion(of: task) == nil)
        }
        // The first request came before there were streams.
        #expect(server.weights == [65, 192, 256, 1])
        #expect(server.socket.connectionCount == 1)
    }

    @Test("T-01 the client sends a priority that changes while the task runs")
    func change() async throws {
        let server = try Server(holding: 3)
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) { $0.transport.httpVersion = .http2 }
        defer { session.invalidateAndCancel() }
        let address = try url(server.socket.url("/"))
        let first = session.dataTask(with: address)
        first.resume()
        #expect(await recorder.completion(of: first) == nil)
        let task = session.dataTask(with: address)
        task.priority = 0
        task.resume()
        #expect(await eventually { server.isHolding })
        task.priority = 1
        #expect(await recorder.completion(of: task) == nil)
        #expect(server.weights == [1, 256])
    }
}
