import HTTPSemantics
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CurlMulti

@Suite("Transfer loop", .timeLimit(.minutes(1)))
struct TransferLoopTests {
    /// The calls that a transfer's handler received.
    private final class Record: Sendable {
        struct State {
            var heads: [ResponseHead] = []
            var bytes: [UInt8] = []
            var outcomes: [TransferOutcome] = []
            var wakes = 0
        }

        let state = Mutex(State())

        var current: State { state.withLock { $0 } }
    }

    /// Takes all bytes; pauses at the first piece if asked to.
    private final class Handler: TransferHandler {
        private let record: Record
        private var pausesOnce: Bool

        init(_ record: Record, pausesOnce: Bool = false) {
            self.record = record
            self.pausesOnce = pausesOnce
        }

        func didReceive(_ head: ResponseHead, sent: Int64) {
            record.state.withLock { $0.heads.append(head) }
        }

        func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
            if pausesOnce {
                pausesOnce = false
                return .pause
            }
            record.state.withLock { $0.bytes.append(contentsOf: bytes) }
            return .taken
        }

        func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply { .end }

        func rewindBody(to offset: Int64, wasRefused: Bool) -> Bool { false }

        func didIterate(sent: Int64) -> MonotonicInstant? { nil }

        func didWake(_ control: any TransferControl) {
            record.state.withLock { $0.wakes += 1 }
            control.resumeReceiving()
        }

        func didComplete(_ outcome: TransferOutcome, _ control: any TransferControl) {
            record.state.withLock { $0.outcomes.append(outcome) }
            control.release()
        }
    }

    @Test("a transfer delivers its body and metrics, and the next one reuses its connection")
    func whole() async throws {
        let server = try SocketServer { connection in
            while (try connection.nextHead()) != nil { try connection.respond(body: "body") }
        }
        let loop = try TransferLoop()
        defer { loop.finish() }
        for isReused in [false, true] {
            let record = Record()
            var request = TransferRequest(url: server.url())
            request.collectsMetrics = true
            try loop.start(loop.makeID(), request) { Handler(record) }
            #expect(await eventually { record.current.outcomes.count == 1 })
            let outcome = try #require(record.current.outcomes.first)
            #expect(outcome.failure == nil)
            #expect(record.current.heads.first?.status == 200)
            #expect(record.current.bytes == Array("body".utf8))
            let metrics = try #require(outcome.metrics)
            #expect(metrics.connections == (isReused ? 0 : 1))
            #expect(metrics.responseBodyBytes == 4)
            #expect(metrics.networkProtocolName == "http/1.1")
            #expect(metrics.remotePort == server.port)
            #expect(metrics.responseStart <= metrics.end)
        }
        #expect(server.connectionCount == 1)
    }

    @Test("two loops with a shared gate use no more connections than one loop")
    func countedTogether() async throws {
        let mayRespond = Mutex(0)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            while mayRespond.withLock({ $0 }) <= connection.number {
                connection.pause(.milliseconds(2))
            }
            try connection.respond("200 OK", ["Connection: close"], body: "body")
        }
        let first = try TransferLoop(limits: LoopLimits(connectionsPerHost: 1))
        let second = try TransferLoop(limits: LoopLimits(connectionsPerHost: 1), gate: first.gate)
        defer {
            first.finish()
            second.finish()
        }
        let records = [Record(), Record(), Record()]
        try first.start(first.makeID(), TransferRequest(url: server.url())) { Handler(records[0]) }
        #expect(await eventually { server.requestCount == 1 })
        let waiting = second.makeID()
        try second.start(waiting, TransferRequest(url: server.url())) { Handler(records[1]) }
        let last = second.makeID()
        try second.start(last, TransferRequest(url: server.url())) { Handler(records[2]) }
        // The woken transfer has been started: it waits, and the gate has admitted no other.
        second.wake(last)
        #expect(await eventually { records[2].current.wakes == 1 })
        #expect(server.connectionCount == 1)
        second.cancel(waiting)
        #expect(await eventually { records[1].current.outcomes.count == 1 })
        mayRespond.withLock { $0 = 2 }
        #expect(await eventually { records[2].current.outcomes.first?.failure == nil })
        #expect(await eventually { records[2].current.bytes == Array("body".utf8) })
        #expect(server.connectionCount == 2)
    }

    @Test("the loop collects no metrics without a request for them")
    func unmeasured() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let loop = try TransferLoop()
        defer { loop.finish() }
        let record = Record()
        try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.outcomes.first?.failure == nil)
        #expect(record.current.outcomes.first?.metrics == nil)
        #expect(record.current.heads.first?.raw == [])
    }

    @Test("a paused transfer delivers the same piece again when it is woken")
    func paused() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "once")
        }
        let loop = try TransferLoop()
        defer { loop.finish() }
        let record = Record()
        let id = loop.makeID()
        try loop.start(id, TransferRequest(url: server.url())) { Handler(record, pausesOnce: true) }
        #expect(await eventually { record.current.heads.count == 1 })
        #expect(record.current.outcomes.isEmpty)
        loop.wake(id)
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.bytes == Array("once".utf8))
    }

    @Test("cancelling ends a transfer once, in every state")
    func cancelled() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let loop = try TransferLoop()
        defer { loop.finish() }
        let record = Record()
        let id = loop.makeID()
        try loop.start(id, TransferRequest(url: server.url())) { Handler(record) }
        #expect(await eventually { server.requestCount == 1 })
        loop.cancel(id)
        loop.cancel(id)
        loop.wake(id)
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.outcomes.first?.failure?.reason == .cancelled)
        let before = Record()
        let early = loop.makeID()
        try loop.start(early, TransferRequest(url: server.url())) { Handler(before) }
        loop.cancel(early)
        #expect(await eventually { before.current.outcomes.count == 1 })
        #expect(record.current.outcomes.count == 1)
    }

    @Test("a request that libcurl refuses completes with a failure")
    func refused() async throws {
        let loop = try TransferLoop()
        defer { loop.finish() }
        let record = Record()
        try loop.start(loop.makeID(), TransferRequest(url: "nonsense://")) { Handler(record) }
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.outcomes.first?.failure != nil)
    }

    @Test("the thread ends after finish was called and the last transfer has ended")
    func finishes() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "x")
        }
        let gone = Mutex(false)
        let record = Record()
        do {
            let loop = try TransferLoop()
            let watch = DeinitWatch { gone.withLock { $0 = true } }
            try loop.start(loop.makeID(), TransferRequest(url: server.url())) {
                withExtendedLifetime(watch) { Handler(record) }
            }
            loop.finish()
        }
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.outcomes.first?.failure == nil)
        #expect(await eventually { gone.withLock { $0 } })
    }

    @Test("the loop refuses a transfer without a thread, and attempts to start one for the next")
    func noThread() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let mayStart = Mutex(false)
        var parts = TransferLoop.Parts()
        parts.startThread = { run throws(Errno) in
            guard mayStart.withLock({ $0 }) else { throw .resourceTemporarilyUnavailable }
            try LoopThread.start(run)
        }
        let loop = try TransferLoop(limits: LoopLimits(), gate: nil, LoopBell(), parts: parts)
        defer { loop.finish() }
        let refused = Record()
        #expect(throws: Errno.resourceTemporarilyUnavailable) {
            try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(refused) }
        }
        // Cancelling a transfer that does not exist ends nothing.
        loop.cancel(loop.makeID())
        mayStart.withLock { $0 = true }
        let record = Record()
        try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.bytes == Array("body".utf8))
        #expect(refused.current.outcomes.isEmpty)
    }

    @Test("each transfer fails without a multi handle, and the next one attempts to make it")
    func noHandle() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let mayMake = Mutex(false)
        var parts = TransferLoop.Parts()
        parts.makeHandle = { limits throws(CurlCode) in
            guard mayMake.withLock({ $0 }) else { throw .outOfMemory }
            return try MultiHandle(limits)
        }
        let loop = try TransferLoop(limits: LoopLimits(), gate: nil, LoopBell(), parts: parts)
        defer { loop.finish() }
        for _ in 0..<3 {
            let record = Record()
            try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
            #expect(await eventually { record.current.outcomes.count == 1 })
            #expect(record.current.outcomes.first?.failure?.reason == .curl(.outOfMemory))
            #expect(record.current.outcomes.first?.mayHaveReachedServer == false)
        }
        mayMake.withLock { $0 = true }
        let record = Record()
        try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
        #expect(await eventually { record.current.outcomes.count == 1 })
        #expect(record.current.bytes == Array("body".utf8))
    }

    /// Calls a closure when it is released.
    private final class DeinitWatch: Sendable {
        private let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
        deinit {
            body()
        }
    }
}
