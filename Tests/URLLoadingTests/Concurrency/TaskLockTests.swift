import Testing

@testable import URLLoading

/// Counts a task's locks per thread.
///
/// Each `RecordingDelegate` checks that no delegate is called under such a lock.
@Suite("Calls under a task's lock", .enabled(if: isDebugBuild))
struct TaskLockTests {
    @Test("a thread's locks are counted, and those of other threads are not")
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

    @Test("an error restores the count")
    func error() {
        struct Failure: Error {}
        let lock = TaskLock(1)
        #expect(throws: Failure.self) {
            try lock.withLock { _ throws(Failure) in throw Failure() }
        }
        #expect(TaskLockCounter.count == 0)
    }
}

/// Whether assertions are evaluated.
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
