import Glibc

@testable import URLLoading

// Requests of a client that has the lock itself, one task at a time.
extension BackgroundInput {
    static func make(_ tasks: [BackgroundTaskRecord], from connection: Int) -> Self {
        .request(.make(tasks: tasks), from: connection)
    }

    static func resume(task: Int) -> Self { .request(.resume(tasks: [task]), from: 0) }

    static func suspend(task: Int) -> Self { .request(.suspend(tasks: [task]), from: 0) }

    static func cancel(task: Int) -> Self { .request(.cancel(tasks: [task]), from: 0) }

    static func cancelKeepingPart(task: Int) -> Self {
        .request(.cancel(tasks: [task], keepsParts: true), from: 0)
    }

    static var pause: Self { .request(.pause, from: 0) }

    static var resumeAll: Self { .request(.resumeAll, from: 0) }

    static var discard: Self { .request(.discard, from: 0) }

    static func settings(_ settings: BackgroundSettings) -> Self {
        .request(.settings(settings: settings), from: 0)
    }

    static func acknowledge(sequence: Int, from connection: Int) -> Self {
        .request(.acknowledge(sequence: sequence), from: connection)
    }
}

extension BackgroundClient {
    /// Repeats the steps of the search until one has a result; blocks this thread.
    static func search(
        _ identifier: BackgroundIdentifier,
        in root: String,
        makes: Bool,
        timeout: Duration = .seconds(10),
        hasStarted: Bool = false
    ) throws(BackgroundError) -> Finding {
        let deadline = ContinuousClock.now + timeout
        while true {
            let found = try find(identifier, in: root, makes: makes, hasStarted: hasStarted)
            if let found { return found }
            guard ContinuousClock.now < deadline else {
                throw .disconnected(try holder(of: identifier, in: root))
            }
            usleep(5_000)
        }
    }
}
