import FoundationEssentials
import URLLoading

extension SessionEvent {
    static func didSplit(
        _ task: URLSessionTask,
        _ streams: Int,
        _ limit: DownloadSplitLimit?,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didSplitInto,
            method: method,
            task: task.taskIdentifier,
            url: task.originalRequest?.url?.absoluteString,
            [
                EventMember("streams", .number(Int64(streams))),
                EventMember("limit", limit.map { .text("\($0)") } ?? .none),
            ]
        )
    }
}
