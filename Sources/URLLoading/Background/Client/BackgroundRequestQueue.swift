/// A program's requests to its transfer process, in order.
///
/// Each is kept until the process replies that it is on the disk. Otherwise the next process gets it.
struct BackgroundRequestQueue {
    /// The most tasks in one merged request.
    private static let batchLimit = 500

    /// Tasks that are not committed yet, by number.
    private var drafts: [Int: (record: BackgroundTaskRecord, task: URLSessionTask?)] = [:]
    /// Committed tasks, in the order of their numbers.
    private var makes: [BackgroundTaskRecord] = []
    /// Requests to send after `makes`, in order.
    private var waiting: [BackgroundRequest] = []
    /// The request that was sent and has no reply yet; only one at a time.
    private var sent: BackgroundRequest?

    /// Whether all requests are on the disk, apart from drafts.
    var isStored: Bool { makes.isEmpty && waiting.isEmpty && sent == nil }

    /// Adds a draft, which is not sent before ``commit(upTo:_:)``.
    mutating func draft(_ record: BackgroundTaskRecord, of task: URLSessionTask? = nil) {
        drafts[record.identifier] = (record, task)
    }

    func isDraft(_ task: Int) -> Bool { drafts[task] != nil }

    mutating func drop(_ task: Int) -> URLSessionTask? { drafts.removeValue(forKey: task)?.task }

    /// The numbers of the drafts up to `last`, sorted; another client has used these numbers.
    func drafts(upTo last: Int) -> [Int] {
        drafts.keys.filter { $0 <= last }.sorted()
    }

    /// Commits the drafts up to `last`, or all, with the values that the program has changed meanwhile.
    mutating func commit(
        upTo last: Int? = nil,
        _ change: (inout BackgroundTaskRecord, URLSessionTask?) -> Void
    ) {
        for number in drafts.keys.sorted() where number <= last ?? .max {
            guard let draft = drafts.removeValue(forKey: number) else { continue }
            var record = draft.record
            change(&record, draft.task)
            makes.append(record)
        }
    }

    /// Appends a request, or merges it with the last waiting one of the same kind.
    mutating func add(_ request: BackgroundRequest) {
        guard let joined = waiting.last.flatMap({ Self.joined($0, request) }) else {
            return waiting.append(request)
        }
        waiting[waiting.count - 1] = joined
    }

    /// The next request, if the last one has a reply.
    ///
    /// Tasks are made first, so that no request names a task that does not exist.
    mutating func next() -> BackgroundRequest? {
        guard sent == nil else { return nil }
        if !makes.isEmpty {
            let batch = Array(BackgroundBatch.first(of: makes[...]))
            makes.removeFirst(batch.count)
            sent = .make(tasks: batch)
        } else if !waiting.isEmpty {
            sent = waiting.removeFirst()
        }
        return sent
    }

    /// Notes that the sent request is on the disk, or refused for good.
    mutating func replyReceived() {
        sent = nil
    }

    /// Puts the sent request back, because it may not be on the disk.
    mutating func requeueSent() {
        switch sent {
        case .make(let records, _)?: makes = records + makes
        case let request?: waiting.insert(request, at: 0)
        case nil: break
        }
        sent = nil
    }

    /// Two requests merged into one; `nil` if their kinds differ, or the first has too many tasks.
    private static func joined(
        _ one: BackgroundRequest,
        _ two: BackgroundRequest
    ) -> BackgroundRequest? {
        switch (one, two) {
        case (.resume(let some), .resume(let more)) where some.count < batchLimit:
            .resume(tasks: some + more)
        case (.suspend(let some), .suspend(let more)) where some.count < batchLimit:
            .suspend(tasks: some + more)
        case (.cancel(let some, let keepsParts), .cancel(let more, let alsoKeepsParts))
        where keepsParts == alsoKeepsParts && some.count < batchLimit:
            .cancel(tasks: some + more, keepsParts: keepsParts)
        default: one == two ? one : nil
        }
    }
}
