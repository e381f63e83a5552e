import URLLoading

// The list as JSON.
extension BackgroundListing {
    /// The schema's version.
    ///
    /// It grows when a member changes or is removed, and not when one is added.
    private static let schema: Int64 = 1

    /// A session as a line of JSON, without secrets.
    static func json(of session: BackgroundStatus) -> String {
        let status = session.commandStatus
        let signal = status.map { Int64($0 & 0x7f) }
        var json = JSONText()
        json.append([
            "schema": .number(schema),
            "identifier": .plain(session.identifier),
            "process": number(session.process),
            "attachedProcess": number(session.attached),
            "isPaused": .flag(session.isPaused),
            "isDiscretionary": .flag(session.isDiscretionary),
            "waitsFor": .list(session.waitsFor.map { .plain($0) }),
            "untoldEvents": .number(Int64(session.undelivered)),
            "commandRuns": .number(Int64(session.commandRuns)),
            "commandIsRunning": .flag(session.commandIsRunning),
            "commandStatus": signal == 0 ? number(status.map { $0 >> 8 & 0xff }) : .none,
            "commandSignal": signal.map { $0 == 0 ? .none : .number($0) } ?? .none,
            "commandLog": text(session.commandLog),
            "tasks": .list(session.tasks.map(object)),
        ])
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func object(_ task: BackgroundStatus.Task) -> EventValue {
        let retry = task.retryTime.map { EventMoment(wall: $0, monotonic: 0).timestamp }
        return [
            "task": .number(Int64(task.number)),
            "httpMethod": .plain(task.method),
            "url": .text(Redaction.url(task.url)),
            "file": text(task.destination),
            "phase": .plain(task.phase.rawValue),
            "outcome": text(outcome(task)),
            "statusCode": task.status.map { .number(Int64($0)) } ?? .none,
            "error": .error(task.error),
            "countOfBytesReceived": .number(task.size ?? task.received),
            "countOfBytesSent": .number(task.sent),
            "countOfBytesExpectedToReceive": .number(task.expectedToReceive),
            "countOfBytesExpectedToSend": .number(task.expectedToSend),
            "failedTries": .number(Int64(task.attempts)),
            "retryDate": text(retry),
            "challenger": text(task.challenger),
        ]
    }

    private static func outcome(_ task: BackgroundStatus.Task) -> String? {
        guard task.phase == .ended else { return nil }
        if task.error != nil || task.failureStatus != nil { return "failed" }
        return task.isUpload ? "sent" : task.isLeftAlone ? "unchanged" : "fetched"
    }

    private static func number(_ value: Int32?) -> EventValue {
        value.map { .number(Int64($0)) } ?? .none
    }

    private static func text(_ text: String?) -> EventValue { text.map { .plain($0) } ?? .none }
}
