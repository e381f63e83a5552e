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
        json.append(
            .object(
                [
                    EventMember("schema", .number(schema)),
                    EventMember("identifier", .plain(session.identifier)),
                    EventMember("process", number(session.process)),
                    EventMember("attachedProcess", number(session.attached)),
                    EventMember("isPaused", .flag(session.isPaused)),
                    EventMember("isDiscretionary", .flag(session.isDiscretionary)),
                    EventMember("waitsFor", .list(session.waitsFor.map { .plain($0) })),
                    EventMember("untoldEvents", .number(Int64(session.undelivered))),
                    EventMember("commandRuns", .number(Int64(session.commandRuns))),
                    EventMember("commandIsRunning", .flag(session.commandIsRunning)),
                    EventMember(
                        "commandStatus",
                        signal == 0 ? number(status.map { $0 >> 8 & 0xff }) : .none
                    ),
                    EventMember(
                        "commandSignal",
                        signal.map { $0 == 0 ? .none : .number($0) } ?? .none
                    ),
                    EventMember("commandLog", text(session.commandLog)),
                    EventMember("tasks", .list(session.tasks.map(object))),
                ],
                summary: ""
            )
        )
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func object(_ task: BackgroundStatus.Task) -> EventValue {
        .object(
            [
                EventMember("task", .number(Int64(task.number))),
                EventMember("httpMethod", .plain(task.method)),
                EventMember("url", .text(Redaction.url(task.url))),
                EventMember("file", text(task.destination)),
                EventMember("phase", .plain(task.phase.rawValue)),
                EventMember("outcome", text(outcome(task))),
                EventMember("statusCode", task.status.map { .number(Int64($0)) } ?? .none),
                EventMember("error", .error(task.error)),
                EventMember("countOfBytesReceived", .number(task.size ?? task.received)),
                EventMember("countOfBytesSent", .number(task.sent)),
                EventMember("countOfBytesExpectedToReceive", .number(task.expectedToReceive)),
                EventMember("countOfBytesExpectedToSend", .number(task.expectedToSend)),
                EventMember("failedTries", .number(Int64(task.attempts))),
                EventMember(
                    "retryDate",
                    task.retryTime.map { .plain(EventMoment(wall: $0, monotonic: 0).timestamp) }
                        ?? .none
                ),
                EventMember("challenger", text(task.challenger)),
            ],
            summary: ""
        )
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
