import Glibc
import Synchronization

/// The lock of a task's life cycle, with a rule for the code that runs under it.
///
/// An event locks, changes the life cycle, and carries out the actions before it unlocks, so that actions
/// run in the order of the decisions. Under the lock, code must not wait or call back. It may:
///
/// - post a command to the loop, an actor or a hop: an append under a mutex, or a block on a queue,
/// - queue a block on the delegate queue,
/// - pass a piece to a `ByteChannel`, which resumes its reader elsewhere,
/// - open a body for the next hop: a file, without waiting, or an existing stream,
/// - take inner locks: the session's, the transport's, the mailbox's.
///
/// All else is done before or after: state files (cookies, hosts, credentials, the cache), waits,
/// delegates, completion handlers, and a program's `URLProtocol`. A debug build counts the task locks
/// of each thread, and code that must not run under one calls ``TaskLockCounter/expectNone(_:)``.
struct TaskLock<State>: ~Copyable, Sendable where State: ~Copyable {
    private let mutex: Mutex<State>

    init(_ state: consuming sending State) {
        mutex = Mutex(state)
    }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        assert(TaskLockCounter.change(by: 1))
        defer { assert(TaskLockCounter.change(by: -1)) }
        return try mutex.withLock(body)
    }
}

/// Counts the task locks that the current thread holds, only in debug builds.
enum TaskLockCounter {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let error = pthread_key_create(&key, nil)
        precondition(error == 0, "a process has room for one more key")
        return key
    }()

    /// The number of locks; 0 in a release build.
    static var count: Int { Int(bitPattern: pthread_getspecific(key)) }

    /// Ends the program, in a debug build, if the current thread holds a task's lock.
    static func expectNone(_ what: StaticString) {
        assert(count == 0, "\(what) under a task's lock")
    }

    fileprivate static func change(by difference: Int) -> Bool {
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: count + difference)) == 0
    }
}
