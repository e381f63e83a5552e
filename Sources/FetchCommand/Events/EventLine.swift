/// A record as it will be written.
struct EventLine: Sendable {
    let bytes: [UInt8]
    /// How many of what was handed in it stands for.
    let calls: Int
    let moment: EventMoment
    /// The task that it is about.
    let task: Int?
    /// The event, where others may be joined to it.
    private let progress: SessionEvent?

    init(_ record: EventRecord, _ form: EventForm) {
        bytes = form.line(record)
        calls = record.calls
        moment = record.moment
        guard case .call(let event) = record else {
            task = nil
            progress = nil
            return
        }
        task = event.task
        progress = event.isProgress ? event : nil
    }

    /// Whether others may be joined to it.
    var isProgress: Bool { progress != nil }

    /// One line in place of two that follow one another; nil where they do not tell of the same.
    func joined(to earlier: EventLine, _ form: EventForm) -> EventLine? {
        guard var event = progress, let old = earlier.progress,
            event.task == old.task, event.name == old.name
        else { return nil }
        event.absorb(old)
        return EventLine(.call(event), form)
    }
}
