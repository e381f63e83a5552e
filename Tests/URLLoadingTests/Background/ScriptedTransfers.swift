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

    func act(_ effect: BackgroundEffect) {
        log.withLock { log in
            switch effect {
            case .start(let task): log.started.append(task.identifier)
            case .stop(let task): log.stopped.append(task)
            case .handOverPart(let task): log.handedOver.append(task)
            case .cancel(let task): log.cancelled.append(task)
            case .keepHead(let task, _): log.keptHeads.append(task)
            default: break
            }
        }
        if case .start(let task) = effect { onStart.withLock { $0 }?(task) }
    }

    func decide(
        _ task: Int,
        about challenge: ChallengeRecord,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {
        log.withLock { log in
            log.passwords.append(credential?.password ?? "")
            log.decided.append(challenge)
        }
    }
}
