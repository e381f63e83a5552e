import FoundationEssentials
import Glibc
import URLLoading

enum EventRecord: Sendable {
    case call(SessionEvent)
    /// A message for the user, if messages share the stream with events.
    case message(String, MessageLevel, EventMoment)
    /// The number of events that were dropped while the reader was slow.
    case dropped(Int, EventMoment)

    /// The common members, then the record's own; the schema number counts incompatible changes.
    var members: [EventMember] {
        switch self {
        case .call(let event):
            var members = Self.members(event.name.rawValue, event.moment)
            if let task = event.task { members.append(EventMember("task", .integer(task))) }
            if let url = event.url { members.append(EventMember("url", .text(url))) }
            if let (token, delivered) = event.delivery {
                members += [
                    EventMember("session", .text(token)),
                    EventMember("sequence", .integer(delivered.sequence)),
                    EventMember("isRedelivery", .flag(delivered.isRedelivery)),
                ]
            }
            members.append(EventMember("method", .text(event.method)))
            members += event.arguments
            if event.calls > 1 {
                members.append(EventMember("calls", .integer(event.calls)))
            }
            return members
        case .message(let text, let level, let moment):
            return Self.members(Self.messageName, moment) + [
                EventMember("level", .text(level.rawValue)), EventMember("text", .plain(text)),
            ]
        case .dropped(let count, let moment):
            return Self.members(Self.droppedName, moment) + [EventMember("count", .integer(count))]
        }
    }

    private static let messageName = "message"
    private static let droppedName = "eventsDropped"

    /// The values of the member `event`.
    static let names = SessionEvent.Name.allCases.map(\.rawValue) + [messageName, droppedName]

    private static func members(_ name: String, _ moment: EventMoment) -> [EventMember] {
        [
            EventMember("schema", .number(1)),
            EventMember("event", .text(name)),
            EventMember("time", .text(moment.timestamp)),
            EventMember("monotonic", .seconds(microseconds: moment.monotonic)),
            EventMember("pid", .number(Int64(getpid()))),
        ]
    }
}

/// A moment by two clocks, in microseconds.
struct EventMoment: Sendable {
    /// CLOCK_REALTIME since 1970, which the user may set.
    let wall: Int64
    /// CLOCK_MONOTONIC, which is never set, and is the same in all processes of a machine.
    var monotonic: Int64 = 0

    static var now: EventMoment {
        EventMoment(wall: read(CLOCK_REALTIME), monotonic: read(CLOCK_MONOTONIC))
    }

    /// UTC in the format of [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6), with
    /// six decimals, so that timestamps sort as texts.
    var timestamp: String {
        var seconds = time_t(wall / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(date)T\(time).\(String(1_000_000 + wall % 1_000_000).dropFirst())Z"
    }

    private func two(_ number: CInt) -> Substring { String(100 + number).dropFirst() }

    /// The clock's value in microseconds.
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension EventMoment {
    /// A moment by the real-time clock alone.
    init(_ date: Date) {
        self.init(wall: Int64(clamping: (date.timeIntervalSince1970 * 1e6).rounded()))
    }
}

enum MessageLevel: String, CaseIterable, Sendable {
    case error
    case warning
    case note
}
