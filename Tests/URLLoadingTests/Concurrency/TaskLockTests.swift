import Testing

@testable import URLLoading

/// The rule of what is done under a task's lock; that no delegate is called there each
/// `RecordingDelegate` looks itself.
@Suite("What is done under a task's lock", .enabled(if: isDebugBuild))
struct TaskLockTests {
    @Test("a thread's locks are counted, and others' are not")
    func count() async {
        let one = TaskLock(1)
        let other = TaskLock(2)
        #expect(TaskLockCounter.count == 0)
        let counts = one.withLock { _ in other.withLock { _ in TaskLockCounter.count } }
        #expect(counts == 2)
        #expect(TaskLockCounter.count == 0)
        let elsewhere = BlockingWait<Int>()
        let queue = SerialQueue("other")
        one.withLock { _ in queue.async { elsewhere.end(TaskLockCounter.count) } }
        #expect(elsewhere.wait() == 0)
    }

    @Test("an error leaves the count as it was")
    func error() {
        struct Failure: Error {}
        let lock = TaskLock(1)
        #expect(throws: Failure.self) {
            try lock.withLock { _ throws(Failure) in throw Failure() }
        }
        #expect(TaskLockCounter.count == 0)
    }
}

/// Whether assertions are looked at.
private let isDebugBuild: Bool = {
    var isDebug = false
    assert(
        {
            isDebug = true
            return true
        }()
    )
    return isDebug
}()
