/// Lines that wait for the reader: in order, within bounds, and none lost in silence.
///
/// When there is no more room, calls that tell of bytes are joined with those of the same kind that
/// follow them, if the task had no other between them: sums and totals stay what they were. What
/// has no room even then is counted, and a record says how many they are, where they would stand.
struct EventBuffer {
    private let form: EventForm
    /// In bytes; one line that is longer is taken all the same.
    private let limit: Int
    private var lines: [EventLine] = []
    private var size = 0
    /// Lines since the last joining that might be joined.
    private var joinable = 0
    private var dropped = 0
    /// When the last of those came.
    private var droppedAt = EventMoment(wall: 0, monotonic: 0)

    init(_ form: EventForm, limit: Int) {
        self.form = form
        self.limit = limit
    }

    /// How many of what was handed in is here, or would be.
    var calls: Int {
        lines.reduce(dropped) { $0 + $1.calls }
    }

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

    /// All there is; room for as much again.
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

    /// Joins every line to the next of its task, where both tell of bytes; the later one stays, so
    /// that times go on rising.
    private mutating func join() {
        /// Of each task, the line that follows in time.
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

    /// Joins a new line to its task's last.
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
