import Glibc
import URLLoading

/// The text of `--background-list`: a line for each session, and one for each of its tasks.
enum BackgroundListing {
    /// The lines of one session, without secrets and control characters.
    static func text(of session: BackgroundStatus, at now: EventMoment) -> String {
        var lines = [head(session)]
        lines += session.tasks.map { "  " + words($0, at: now) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ session: BackgroundStatus) -> String {
        let isLive = session.tasks.contains { [.running, .waiting, .finishing].contains($0.phase) }
        var words: [String] = []
        if session.isPaused {
            words.append("paused")
        } else if !isLive {
            let isParked = session.tasks.contains { $0.phase == .parked }
            let isHeld = session.tasks.contains { $0.phase == .held }
            words.append(isParked ? "waits for a password" : isHeld ? "held" : "done")
        } else if session.process == nil {
            words.append("stopped; --background-resume or --attach continues it")
        } else if !session.waitsFor.isEmpty {
            words.append("waits for " + session.waitsFor.joined(separator: ", "))
        } else {
            words.append("under way")
        }
        if session.isDiscretionary { words.append("discretionary") }
        if let process = session.process { words.append("process \(process)") }
        if let attached = session.attached { words.append("followed by process \(attached)") }
        if session.undelivered > 0 {
            words.append(ByteText.count(session.undelivered, "event") + " to report")
        }
        if session.commandIsRunning {
            words.append("--on-complete is running" + log(session))
        } else if session.commandRuns > 0 {
            let result = commandResult(session.commandStatus)
            words.append("--on-complete " + result + log(session))
        }
        return "\(ShellWord.quoted(session.identifier)): \(words.joined(separator: "; "))"
    }

    /// The words for what waitpid(2) says, as in "ended with 0"; `nil`: no process has waited.
    private static func commandResult(_ status: Int32?) -> String {
        guard let status else { return "was interrupted; its exit status is unknown" }
        let signal = status & 0x7f
        return signal == 0 ? "ended with \(status >> 8 & 0xff)" : "was ended by signal \(signal)"
    }

    private static func log(_ session: BackgroundStatus) -> String {
        session.commandLog.map { ", its output is in \(Printable.text($0))" } ?? ""
    }

    private static func words(_ task: BackgroundStatus.Task, at now: EventMoment) -> String {
        let place = task.destination.map { " to \(Printable.text($0))" } ?? ""
        let url = Printable.text(Redaction.url(task.url))
        return
            "\(task.number) \(Printable.text(task.method)) \(url)\(place): \(state(task, at: now))"
    }

    private static func state(_ task: BackgroundStatus.Task, at now: EventMoment) -> String {
        switch task.phase {
        case .held:
            "held" + amount(task)
                + (task.error.map { ": \($0.words); --background-resume continues it" } ?? "")
        case .running: "under way" + amount(task)
        case .waiting: waiting(task, at: now) + amount(task)
        case .parked:
            "waits for a password" + (task.challenger.map { " for \(Printable.text($0))" } ?? "")
        case .finishing: "complete, being moved"
        case .ended: result(task) + ", not reported yet"
        }
    }

    private static func result(_ task: BackgroundStatus.Task) -> String {
        if let error = task.error { return "failed: " + error.words + kept(error) }
        if let status = task.failureStatus { return "failed with \(HeadText.status(status))" }
        if task.isLeftAlone { return "unchanged" }
        let size = task.size.map { ", " + ByteText.size($0) } ?? ""
        return (task.isUpload ? "sent" : "fetched") + size
    }

    private static func kept(_ error: URLError) -> String {
        guard let kept = error.kept, case .partFile(let part) = kept.file else { return "" }
        return "; \(ByteText.size(kept.receivedBytes)) are kept in \(Printable.text(part))"
    }

    private static func waiting(_ task: BackgroundStatus.Task, at now: EventMoment) -> String {
        guard task.attempts > 0 else { return "queued" }
        let tries = task.attempts == 1 ? "1 try has" : "\(task.attempts) tries have"
        let left = max(task.retryTime ?? 0, now.wall) - now.wall
        let error = task.error.map { ": " + $0.words } ?? ""
        return "tries again in \(ByteText.time(.microseconds(left))), \(tries) failed\(error)"
    }

    private static func amount(_ task: BackgroundStatus.Task) -> String {
        if task.sent > 0, task.received == 0 {
            return ", " + amount(task.sent, task.expectedToSend, "sent")
        }
        guard task.received > 0 else { return "" }
        return ", " + amount(task.received, task.expectedToReceive, "received")
    }

    private static func amount(_ bytes: Int64, _ whole: Int64, _ verb: String) -> String {
        whole > 0
            ? "\(ByteText.size(bytes)) of \(ByteText.size(whole)) \(verb)"
            : "\(ByteText.size(bytes)) \(verb)"
    }
}

extension BackgroundStatus.Task {
    /// Whether nothing was fetched, because the file exists, or is the server's.
    var isLeftAlone: Bool { !isUpload && size == nil && error == nil && failureStatus == nil }

    var failureStatus: Int? { status.flatMap { takesSuccessOnly && $0 >= 400 ? $0 : nil } }
}

// The list as JSON.
extension BackgroundListing {
    /// The schema's version, which grows when a member changes or is removed.
    private static let schema: Int64 = 1

    /// A session as a line of JSON, without secrets.
    static func json(of session: BackgroundStatus) -> String {
        let status = session.commandStatus
        let signal = status.map { Int64($0 & 0x7f) }
        let json: EventValue = [
            "schema": .number(schema),
            "identifier": .plain(session.identifier),
            "process": .integer(session.process.map { Int($0) }),
            "attachedProcess": .integer(session.attached.map { Int($0) }),
            "isPaused": .flag(session.isPaused),
            "isDiscretionary": .flag(session.isDiscretionary),
            "waitsFor": .list(session.waitsFor.map { .plain($0) }),
            "untoldEvents": .integer(session.undelivered),
            "commandRuns": .integer(session.commandRuns),
            "commandIsRunning": .flag(session.commandIsRunning),
            "commandStatus": .integer(signal == 0 ? status.map { Int($0 >> 8 & 0xff) } : nil),
            "commandSignal": signal.map { $0 == 0 ? .none : .number($0) } ?? .none,
            "commandLog": .plain(session.commandLog),
            "tasks": .list(session.tasks.map(object)),
        ]
        return json.jsonText + "\n"
    }

    private static func object(_ task: BackgroundStatus.Task) -> EventValue {
        let retry = task.retryTime.map { EventMoment(wall: $0).timestamp }
        return [
            "task": .integer(task.number),
            "httpMethod": .plain(task.method),
            "url": .text(Redaction.url(task.url)),
            "file": .plain(task.destination),
            "phase": .plain(task.phase.rawValue),
            "outcome": .plain(outcome(task)),
            "statusCode": .integer(task.status),
            "error": .error(task.error),
            "countOfBytesReceived": .number(task.size ?? task.received),
            "countOfBytesSent": .number(task.sent),
            "countOfBytesExpectedToReceive": .number(task.expectedToReceive),
            "countOfBytesExpectedToSend": .number(task.expectedToSend),
            "failedTries": .integer(task.attempts),
            "retryDate": .plain(retry),
            "challenger": .plain(task.challenger),
        ]
    }

    private static func outcome(_ task: BackgroundStatus.Task) -> String? {
        guard task.phase == .ended else { return nil }
        if task.error != nil || task.failureStatus != nil { return "failed" }
        return task.isUpload ? "sent" : task.isLeftAlone ? "unchanged" : "fetched"
    }
}
