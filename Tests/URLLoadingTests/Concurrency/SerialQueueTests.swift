import TestSupport
import Testing

@testable import URLLoading

@Suite("Actors on a serial queue", .timeLimit(.minutes(1)))
struct SerialQueueTests {
    private actor Log: QueueActor {
        nonisolated let queue: SerialQueue
        nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
        private(set) var numbers: [Int] = []

        init(_ queue: SerialQueue) {
            self.queue = queue
        }

        nonisolated func note(_ number: Int) { assumeIsolated { $0.numbers.append(number) } }

        func noteLater(_ number: Int) { numbers.append(number) }
    }

    @Test("posted closures run in order, and before later awaited calls")
    func order() async {
        let log = Log(SerialQueue("log"))
        for number in 0..<1_000 { log.post { $0.note(number) } }
        await log.noteLater(1_000)
        #expect(await log.numbers == Array(0...1_000))
        #expect(log.sync { $0.numbers.count } == 1_001)
    }

    @Test("actors that share a queue call each other without waiting")
    func shared() {
        let queue = SerialQueue("both")
        let (one, other) = (Log(queue), Log(queue))
        one.sync { one in
            one.note(1)
            other.note(2)
        }
        #expect(other.sync { $0.numbers } == [2])
    }

    @Test("a delayed closure does not run for an actor that was released")
    func gone() async {
        let queue = SerialQueue("log")
        let (early, late) = (Flag(), Flag())
        do {
            let log = Log(queue)
            log.post(after: 0.05) { _ in early.raise() }
        }
        let other = Log(queue)
        other.post(after: 0.1) { _ in late.raise() }
        #expect(await eventually { late.isUp })
        withExtendedLifetime(other) {}
        #expect(!early.isUp)
    }

    @Test("a wait ends with the first value, or at its timeout")
    func wait() {
        let wait = BlockingWait<Int>()
        #expect(wait.wait(atMost: .milliseconds(10)) == nil)
        let queue = SerialQueue("other")
        queue.async {
            wait.end(1)
            wait.end(2)
        }
        #expect(wait.wait() == 1)
    }
}
