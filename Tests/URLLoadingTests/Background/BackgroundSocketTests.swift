import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Sockets of background sessions", .timeLimit(.minutes(1)))
struct BackgroundSocketTests {
    let folder: TestSupport.TemporaryFolder
    let queue = SerialQueue("server")
    let client = SerialQueue("client")

    init() throws {
        folder = try TestSupport.TemporaryFolder("socket")
    }

    /// The events of one end of a connection.
    final class Log: Sendable {
        let frames = Mutex<[[UInt8]]>([])
        let end = Mutex<String?>(nil)
        let rooms = Mutex(0)

        func note(_ event: BackgroundConnection.Event) {
            switch event {
            case .frame(let frame): frames.withLock { $0.append(frame) }
            case .room: rooms.withLock { $0 += 1 }
            case .end(let reason): end.withLock { $0 = reason }
            }
        }

        var count: Int { frames.withLock { $0.count } }
        var hasEnded: Bool { end.withLock { $0 != nil } }
    }

    /// The connections that a listener has accepted.
    final class Taken: Sendable {
        let connections = Mutex<[BackgroundConnection]>([])
        var first: BackgroundConnection? { connections.withLock { $0.first } }
    }

    func listen(
        _ address: SocketAddress,
        _ log: Log = Log(),
        begins: Bool = true
    ) throws -> (BackgroundListener, Taken) {
        let taken = Taken()
        let listener = try BackgroundListener(address, queue: queue) { [queue] socket in
            let connection = BackgroundConnection(socket, queue: queue)
            taken.connections.withLock { $0.append(connection) }
            if begins { connection.begin { log.note($0) } }
        }
        return (listener, taken)
    }

    /// Makes a listener and both ends of a connection: the server's end, which logs its events, and the
    /// client's, which has not begun.
    private func connectBoth(
        _ log: Log
    ) async throws -> (BackgroundListener, BackgroundConnection, BackgroundConnection) {
        let address = SocketAddress(path: folder.path("socket"))
        let (listener, taken) = try listen(address, log)
        let connection = try #require(try reach(address))
        #expect(await eventually { taken.first != nil })
        return (listener, try #require(taken.first), connection)
    }

    func reach(_ address: SocketAddress) throws -> BackgroundConnection? {
        try address.connect().map { BackgroundConnection($0, queue: client) }
    }

    func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("both sides get messages, and know each other's process")
    func conversation() async throws {
        let address = SocketAddress(path: folder.path("run/fetch/socket"))
        let (received, replies) = (Log(), Log())
        let (listener, taken) = try listen(address, received)
        #expect(mode(folder.path("run/fetch")) == 0o700)
        #expect(mode(address.path) == 0o600)
        let connection = try #require(try reach(address))
        #expect(connection.process == getpid())
        client.sync {
            connection.begin { replies.note($0) }
            try? connection.send(BackgroundRequest.status)
            try? connection.send(BackgroundRequest.cancel(tasks: [7]))
        }
        #expect(await eventually { received.count == 2 })
        let request = try JSONDecoder().decode(
            BackgroundRequest.self,
            from: Data(received.frames.withLock { $0[1] })
        )
        #expect(request == .cancel(tasks: [7]))
        let server = try #require(taken.first)
        #expect(server.process == getpid())
        queue.sync {
            try? server.send(BackgroundReply.made(tasks: [1]))
            server.close()
        }
        #expect(await eventually { replies.hasEnded })
        #expect(replies.count == 1)
        #expect(replies.end.withLock { $0 } == "it closed the connection")
        #expect(!received.hasEnded)
        queue.sync { listener.close() }
        #expect(!folder.exists("run/fetch/socket"))
    }

    @Test("a connection fails without a listener, or with a crashed one's socket")
    func noListener() throws {
        let address = SocketAddress(path: folder.path("socket"))
        #expect(try reach(address) == nil)
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try address.withAddress { bind(left, $0, $1) }
        close(left)
        #expect(folder.exists("socket"))
        #expect(try reach(address) == nil)
        let (listener, _) = try listen(address)
        let connection = try reach(address)
        #expect(connection != nil)
        queue.sync { listener.close() }
        #expect(try reach(address) == nil)
    }

    @Test("a stopped process does not block its clients once its queue of connections is full")
    func stopped() throws {
        let address = SocketAddress(path: folder.path("socket"))
        let stopped = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(stopped) }
        try address.withAddress { bind(stopped, $0, $1) }
        #expect(Glibc.listen(stopped, 0) == 0)
        var waiting: [BackgroundConnection] = []
        while let connection = try reach(address) { waiting.append(connection) }
        #expect(!waiting.isEmpty)
    }

    @Test("a client that was not accepted learns that the listener has ended")
    func endBeforeAccept() async throws {
        let address = SocketAddress(path: folder.path("socket"))
        queue.dispatch.suspend()
        let (listener, taken) = try listen(address)
        let log = Log()
        let connection = try #require(try reach(address))
        client.sync { connection.begin { log.note($0) } }
        listener.close()
        queue.dispatch.resume()
        #expect(await eventually { log.hasEnded })
        #expect(taken.first == nil)
    }

    @Test("a client that does not read blocks no other, and takes no more memory than an outbox")
    func stalled() async throws {
        let log = Log()
        let (listener, server, connection) = try await connectBoth(log)
        let text = String(repeating: "x", count: 1_000)
        let sent = Mutex(0)
        queue.sync {
            for _ in 0..<10_000 {
                try? server.send(BackgroundReply.waiting(task: 1, reason: text), isLossy: true)
            }
            while !server.isFull {
                try? server.send(BackgroundReply.waiting(task: 2, reason: text))
                sent.withLock { $0 += 1 }
            }
        }
        #expect(sent.withLock { $0 } < 1_000)
        // Now the client reads: all frames that must not be dropped arrive, and the outbox has room again.
        let received = Log()
        client.sync { connection.begin { received.note($0) } }
        #expect(await eventually { received.count > sent.withLock { $0 } })
        let reliable = { received.frames.withLock { $0.count { $0.contains(UInt8(ascii: "2")) } } }
        #expect(await eventually { reliable() == sent.withLock { $0 } })
        #expect(received.count < 5_000)
        #expect(await eventually { log.rooms.withLock { $0 } > 0 })
        #expect(queue.sync { !server.isFull })
        client.sync { connection.close() }
        #expect(await eventually { log.hasEnded })
        queue.sync { listener.close() }
    }

    @Test("a client that sends a malformed frame, or half of one, is disconnected")
    func nonsense() async throws {
        for (bytes, words) in [
            ([0xff, 0, 0, 0, 1], "malformed frame"),
            ([0, 0, 0, 9, 1], "it closed the connection within a message"),
        ] as [([UInt8], String)] {
            let address = SocketAddress(path: folder.path("socket"))
            let log = Log()
            let (listener, _) = try listen(address, log)
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            try address.withAddress { connect(number, $0, $1) }
            #expect(write(number, bytes, bytes.count) == bytes.count)
            if bytes[0] == 0 { close(number) }
            #expect(await eventually { log.hasEnded })
            #expect(log.end.withLock { $0 } == words)
            if bytes[0] != 0 { close(number) }
            queue.sync { listener.close() }
        }
    }

    @Test("a client stays connected while it is not read")
    func paused() async throws {
        let log = Log()
        let (listener, server, connection) = try await connectBoth(log)
        queue.sync { server.setReading(false) }
        client.sync {
            connection.begin { _ in }
            for task in 0..<100 { try? connection.send(BackgroundRequest.cancel(tasks: [task])) }
        }
        queue.sync {}
        #expect(log.count == 0)
        queue.sync { server.setReading(true) }
        #expect(await eventually { log.count == 100 })
        queue.sync {
            server.setReading(false)
            server.close()
            listener.close()
        }
        client.sync { connection.close() }
    }

    @Test("a client that disconnects without reading its replies is read completely")
    func hangsUpUnread() async throws {
        let log = Log()
        let (listener, server, connection) = try await connectBoth(log)
        queue.sync { try? server.send(BackgroundReply.made(tasks: [1])) }
        queue.dispatch.suspend()
        // The client reads nothing: this block on its queue is the last one.
        client.sync {
            connection.begin { _ in }
            try? connection.send(BackgroundRequest.status)
            try? connection.send(BackgroundRequest.discard)
            connection.close()
        }
        queue.dispatch.resume()
        #expect(await eventually { log.hasEnded })
        #expect(log.count == 2)
        queue.sync { listener.close() }
    }

    @Test("a client that sends and disconnects at once is read completely, even after a pause")
    func hangsUpAtOnce() async throws {
        let address = SocketAddress(path: folder.path("socket"))
        let log = Log()
        let accepted = Mutex<BackgroundConnection?>(nil)
        queue.dispatch.suspend()
        let listener = try BackgroundListener(address, queue: queue) { [queue] socket in
            let connection = BackgroundConnection(socket, queue: queue)
            accepted.withLock { $0 = connection }
            connection.begin { event in
                log.note(event)
                if case .frame = event { connection.setReading(false) }
            }
        }
        let connection = try #require(try reach(address))
        client.sync {
            connection.begin { _ in }
            try? connection.send(BackgroundRequest.status)
            try? connection.send(BackgroundRequest.discard)
            connection.close()
        }
        queue.dispatch.resume()
        for count in 1...2 {
            #expect(await eventually { log.count == count })
            queue.sync { accepted.withLock { $0 }?.setReading(true) }
        }
        #expect(await eventually { log.hasEnded })
        queue.sync { listener.close() }
    }
}
