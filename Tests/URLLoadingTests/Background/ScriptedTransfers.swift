import Synchronization

@testable import URLLoading

/// Records its calls, and transfers nothing.
final class ScriptedTransfers: BackgroundTransfers, Sendable {
    struct Log {
        var started: [Int] = []
        var stopped: [Int] = []
        var cancelled: [Int] = []
        var handedOver: [Int] = []
        var keptHeads: [Int] = []
        var passwords: [String] = []
        /// The challenges with a disposition.
        var decided: [ChallengeRecord] = []
    }

    let log = Mutex(Log())
    let onStart = Mutex<(@Sendable (BackgroundTaskRecord) -> Void)?>(nil)

    var started: [Int] { log.withLock { $0.started } }

    func begin(for server: BackgroundServer) {}

    func start(_ task: BackgroundTaskRecord) {
        log.withLock { $0.started.append(task.identifier) }
        onStart.withLock { $0 }?(task)
    }

    func stop(_ task: Int) { log.withLock { $0.stopped.append(task) } }

    func handOverPart(_ task: Int) { log.withLock { $0.handedOver.append(task) } }

    func cancel(_ task: Int) { log.withLock { $0.cancelled.append(task) } }

    func keepHead(_ task: Int, _ response: StoredResponse?) {
        log.withLock { $0.keptHeads.append(task) }
    }

    func decide(
        _ task: Int,
        about challenge: ChallengeRecord,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate?
    ) {
        log.withLock { log in
            log.passwords.append(password ?? "")
            log.decided.append(challenge)
        }
    }

    func configure(_ settings: BackgroundSettings) {}
}
