import Glibc
import Synchronization

/// The lock round a task's life cycle, and with it the rule of what is done under it.
///
/// An event locks, changes the life cycle, and carries out the actions before the lock is given up, so
/// that the order of deciding is the order of doing. What is done under it waits for nothing and calls
/// no code back:
///
/// - posting a command to the loop, an actor or a hop: an append under a mutex, or a block on a queue,
/// - queueing a block on the delegate queue,
/// - handing a piece to a `ByteChannel`, which resumes its reader elsewhere,
/// - opening a body for the next hop: a file, without waiting, or a stream that is there already,
/// - taking the locks of what is further in: the session's, the transport's, the mailbox's.
///
/// Everything else is done before or after: files of state (cookies, hosts, credentials, the cache),
/// waits, delegates, completion handlers, and a program's `URLProtocol`. A debug build counts the task
/// locks of each thread, and code that must not run under one calls ``TaskLockCounter/expectNone(_:)``.
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

/// The task locks that this thread holds, counted in debug builds alone.
enum TaskLockCounter {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let error = pthread_key_create(&key, nil)
        precondition(error == 0, "a process has room for one more key")
        return key
    }()

    /// How many there are; 0 in a release build.
    static var count: Int { Int(bitPattern: pthread_getspecific(key)) }

    /// Ends the program, in a debug build, where what follows is about to be done under a task's lock.
    static func expectNone(_ what: StaticString) {
        assert(count == 0, "\(what) under a task's lock")
    }

    fileprivate static func change(by difference: Int) -> Bool {
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: count + difference)) == 0
    }
}
