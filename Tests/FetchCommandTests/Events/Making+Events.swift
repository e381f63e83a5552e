@testable import FetchCommand

extension SessionEvent {
    /// A download's progress report with a number of bytes.
    static func progress(_ bytes: Int64, total: Int64 = 0, task: Int = 1) -> SessionEvent {
        SessionEvent(
            name: .didWriteData,
            method: "m",
            task: task,
            url: "http://h/",
            arguments: [
                EventMember("bytesWritten", .amount(bytes)),
                EventMember("totalBytesWritten", .number(total)),
            ]
        )
    }

    /// A task's completion.
    static func end(task: Int = 1) -> SessionEvent {
        SessionEvent(
            name: .didCompleteWithError,
            method: "m",
            task: task,
            url: "http://h/",
            arguments: [EventMember("error", .none)]
        )
    }
}
