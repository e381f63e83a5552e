import Foundation
import HTTPSemantics
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CurlMulti

/// A loop whose iterations its owner runs.
@Suite("Loop iterations", .timeLimit(.minutes(1)))
struct LoopIterationsTests {
    /// A transfer's bytes and outcomes, and the threads that called its handler.
    private final class Record: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let outcomes = Mutex<[TransferOutcome]>([])
        let threads = Mutex<Set<pthread_t>>([])

        var isOver: Bool { outcomes.withLock { !$0.isEmpty } }

        func noteThread() {
            threads.withLock { _ = $0.insert(pthread_self()) }
        }
    }

    private final class Handler: TransferHandler {
        private let record: Record

        init(_ record: Record) {
            self.record = record
            record.noteThread()
        }

        func didReceive(_ head: ResponseHead, sent: Int64) { record.noteThread() }

        func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
            record.noteThread()
            record.bytes.withLock { $0 += bytes }
            return .taken
        }

        func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply { .end }

        func rewindBody(to offset: Int64, wasRefused: Bool) -> Bool { false }

        func didIterate(sent: Int64) -> MonotonicInstant? { nil }

        func didWake(_ control: any TransferControl) { control.resumeReceiving() }

        func didComplete(_ outcome: TransferOutcome, _ control: any TransferControl) {
            record.noteThread()
            record.outcomes.withLock { $0.append(outcome) }
            control.release()
        }
    }

    private static func server() throws -> SocketServer {
        try SocketServer { connection in
            while (try connection.nextHead()) != nil { try connection.respond(body: "body") }
        }
    }

    /// Runs iterations until a condition holds.
    private static func run(_ iterations: LoopIterations, until isSo: () -> Bool) throws {
        while !isSo() {
            try #require(iterations.iterate())
            if isSo() { return }
            var none: [AwaitedDescriptor] = []
            iterations.wait(until: .now + .seconds(10), among: &none, unless: { false })
        }
    }

    @Test("the owner's iterations carry out transfers on the owner's thread alone")
    func owned() throws {
        let server = try Self.server()
        let loop = TransferLoop(limits: LoopLimits(), hostedBy: try LoopBell())
        let iterations = LoopIterations(loop)
        let own = pthread_self()
        for _ in 0..<3 {
            let record = Record()
            try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
            #expect(!record.isOver)
            try Self.run(iterations) { record.isOver }
            #expect(record.bytes.withLock { $0 } == Array("body".utf8))
            #expect(record.threads.withLock { $0 } == [own])
        }
        #expect(server.connectionCount == 1)
        loop.finish()
        #expect(!iterations.iterate())
        #expect(!iterations.iterate(), "it stays over")
    }

    @Test("a loop that finished before its first transfer has no more iterations")
    func neverBegun() throws {
        let loop = TransferLoop(limits: LoopLimits(), hostedBy: try LoopBell())
        let iterations = LoopIterations(loop)
        #expect(iterations.iterate())
        loop.finish()
        #expect(!iterations.iterate())
    }

    @Test("a posted command ends the wait, from the owner's thread and from another")
    func posted() throws {
        let server = try Self.server()
        let loop = TransferLoop(limits: LoopLimits(), hostedBy: try LoopBell())
        let iterations = LoopIterations(loop)
        let record = Record()
        var none: [AwaitedDescriptor] = []
        loop.cancel(loop.makeID())
        // The loop finds the command before it sleeps; the sleep would have no end.
        iterations.wait(until: nil, among: &none, unless: { false })
        #expect(iterations.iterate())
        Thread.detachNewThread {
            try? loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
        }
        while !record.isOver {
            iterations.wait(until: nil, among: &none, unless: { false })
            try #require(iterations.iterate())
        }
        loop.finish()
    }

    @Test(
        "the wait ends when a descriptor of the owner has bytes, room or an end",
        arguments: [true, false]
    )
    func descriptors(isRunning: Bool) throws {
        let server = try Self.server()
        let loop = TransferLoop(limits: LoopLimits(), hostedBy: try LoopBell())
        let iterations = LoopIterations(loop)
        if isRunning {
            let record = Record()
            try loop.start(loop.makeID(), TransferRequest(url: server.url())) { Handler(record) }
            try Self.run(iterations) { record.isOver }
        }
        func ready(_ asked: [AwaitedDescriptor]) -> [Bool] {
            var asked = asked
            repeat {
                iterations.wait(until: .now + .seconds(10), among: &asked, unless: { false })
            } while iterations.iterate() && !asked.contains(where: \.isReady)
            return asked.map(\.isReady)
        }
        let (bytes, quiet, ended) = (
            try FileDescriptor.pipe(), try FileDescriptor.pipe(), try FileDescriptor.pipe()
        )
        try bytes.writeEnd.writeAll([1])
        #expect(
            ready([.init(bytes.readEnd.rawValue), .init(quiet.readEnd.rawValue)]) == [true, false]
        )
        try ended.writeEnd.close()
        #expect(
            ready([.init(quiet.readEnd.rawValue), .init(ended.readEnd.rawValue)]) == [false, true]
        )
        #expect(
            ready([.init(quiet.readEnd.rawValue), .init(quiet.writeEnd.rawValue, isWritten: true)])
                == [false, true]
        )
        try quiet.readEnd.close()
        #expect(ready([.init(quiet.writeEnd.rawValue, isWritten: true)]) == [true])
        for descriptor in [
            bytes.readEnd, bytes.writeEnd, quiet.writeEnd, ended.readEnd,
        ] { try descriptor.close() }
    }

    @Test("the wait ends at the owner's deadline, and does not begin while the owner is busy")
    func moments() throws {
        let loop = TransferLoop(limits: LoopLimits(), hostedBy: try LoopBell())
        let iterations = LoopIterations(loop)
        var none: [AwaitedDescriptor] = []
        let moment = MonotonicInstant.now + .milliseconds(20)
        iterations.wait(until: moment, among: &none, unless: { false })
        #expect(MonotonicInstant.now >= moment)
        iterations.wait(until: nil, among: &none, unless: { true })
        #expect(none.isEmpty)
    }

    @Test("a bell writes to its descriptor once, and only while its thread sleeps")
    func bell() throws {
        let bell = try LoopBell()
        func isRaised() -> Bool {
            var asked = [AwaitedDescriptor(bell)]
            AwaitedDescriptor.wait(among: &asked, milliseconds: 0)
            return asked[0].isReady
        }
        bell.ring()
        #expect(!isRaised())
        #expect(!bell.beginSleep(unless: { true }))
        bell.ring()
        #expect(!isRaised())
        #expect(bell.beginSleep(unless: { false }))
        bell.ring()
        bell.ring()
        #expect(isRaised())
        bell.endSleep(hasRung: true)
        #expect(!isRaised())
        bell.ring()
        #expect(!isRaised())
    }
}
