/// Lines that wait to be written: in order, limited in size, and never lost without a record.
///
/// If the buffer is full, consecutive progress calls of one task are merged, and their byte counts
/// are added. A call that still does not fit is counted, and a record with the count replaces it.
struct EventBuffer {
    private let form: EventForm
    /// In bytes; an empty buffer accepts a single longer line.
    private let limit: Int
    private var lines: [EventLine] = []
    private var size = 0
    /// Lines added since the last merge that may be mergeable.
    private var joinable = 0
    private var dropped = 0
    /// The time of the last dropped call.
    private var droppedAt = EventMoment(wall: 0)

    init(_ form: EventForm, limit: Int) {
        self.form = form
        self.limit = limit
    }

    /// The number of delegate calls in the buffer, including merged and dropped ones.
    var calls: Int { lines.reduce(dropped) { $0 + $1.calls } }

    mutating func add(_ line: EventLine) {
        if !hasRoom(for: line), joinable > 0 { join() }
        guard hasRoom(for: line) else {
            if dropped > 0 || !joinToLast(line) {
                dropped += line.calls
                droppedAt = line.moment
            }
            return
        }
        closeGap()
        append(line)
        if line.isProgress { joinable += 1 }
    }

    mutating func takeAll() -> [EventLine] {
        closeGap()
        defer { self = EventBuffer(form, limit: limit) }
        return lines
    }

    private func hasRoom(for line: EventLine) -> Bool {
        lines.isEmpty || size + line.bytes.count <= limit
    }

    private mutating func append(_ line: EventLine) {
        lines.append(line)
        size += line.bytes.count
    }

    private mutating func closeGap() {
        guard dropped > 0 else { return }
        append(EventLine(.dropped(dropped, droppedAt), form))
        dropped = 0
    }

    /// Merges every progress line into the later one of its task, so that times increase.
    private mutating func join() {
        /// Index in `kept` of the task's later line.
        var next: [Int?: Int] = [:]
        var kept: [EventLine] = []
        for line in lines.reversed() {
            let task = line.task
            if let place = next[task], let joined = kept[place].joined(to: line, form) {
                kept[place] = joined
            } else {
                next[task] = kept.count
                kept.append(line)
            }
        }
        lines = kept.reversed()
        size = lines.reduce(0) { $0 + $1.bytes.count }
        joinable = 0
    }

    /// Merges a new line with the last line of its task; `false` if they cannot be merged.
    private mutating func joinToLast(_ line: EventLine) -> Bool {
        guard let place = lines.lastIndex(where: { $0.task == line.task }),
            let joined = line.joined(to: lines[place], form)
        else { return false }
        size -= lines[place].bytes.count
        lines.remove(at: place)
        append(joined)
        return true
    }
}

struct EventLine: Sendable {
    let bytes: [UInt8]
    let calls: Int
    let moment: EventMoment
    let task: Int?
    /// The event, if another one can be merged with it.
    private let progress: SessionEvent?

    init(_ record: EventRecord, _ form: EventForm) {
        bytes = form.line(record)
        switch record {
        case .call(let event):
            (calls, moment, task) = (event.calls, event.moment, event.task)
            progress = event.isProgress ? event : nil
        case .message(_, _, let moment):
            (calls, self.moment, task, progress) = (1, moment, nil, nil)
        case .dropped(let count, let moment):
            (calls, self.moment, task, progress) = (count, moment, nil, nil)
        }
    }

    var isProgress: Bool { progress != nil }

    /// One line for two consecutive ones; `nil` if they are of different kinds.
    func joined(to earlier: EventLine, _ form: EventForm) -> EventLine? {
        guard var event = progress, let old = earlier.progress,
            event.task == old.task, event.name == old.name
        else { return nil }
        event.absorb(old)
        return EventLine(.call(event), form)
    }
}
