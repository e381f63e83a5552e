/// A program's requests to its transfer process, in order.
///
/// Each is kept until that process has replied that it is on the disk, since it may have to be sent
/// again to the next one.
struct BackgroundRequestQueue {
    /// The most tasks that one request is for.
    private static let batchLimit = 500

    /// Tasks that only this program knows of, by number.
    private var drafts: [Int: BackgroundTaskRecord] = [:]
    /// Tasks that are to be made, by number.
    private var makes: [BackgroundTaskRecord] = []
    /// What is to be sent after that, in order.
    private var waiting: [BackgroundRequest] = []
    /// The request that was sent and has no reply yet: one at a time.
    private var sent: BackgroundRequest?

    /// Whether all of it is on the disk, but for tasks of which nothing was sent yet.
    var isStored: Bool { makes.isEmpty && waiting.isEmpty && sent == nil }

    /// Keeps a task, of which nothing is sent yet.
    mutating func draft(_ record: BackgroundTaskRecord) {
        drafts[record.identifier] = record
    }

    /// Whether nothing was sent of a task yet.
    func isDraft(_ task: Int) -> Bool { drafts[task] != nil }

    /// Forgets a task of which nothing was sent.
    mutating func drop(_ task: Int) {
        drafts[task] = nil
    }

    /// The drafts whose numbers another client has used meanwhile.
    func drafts(upTo last: Int) -> [Int] {
        drafts.keys.filter { $0 <= last }.sorted()
    }

    /// Has tasks made, with those before them, since numbers are given in order.
    ///
    /// - Parameters:
    ///   - last: up to this number; `nil`: all.
    ///   - change: what the program has set meanwhile.
    mutating func commit(
        upTo last: Int? = nil,
        _ change: (inout BackgroundTaskRecord) -> Void
    ) {
        for number in drafts.keys.sorted() where number <= last ?? .max {
            guard var record = drafts.removeValue(forKey: number) else { continue }
            change(&record)
            makes.append(record)
        }
    }

    /// Adds a request, behind those that wait; where the last of them is alike it is for the tasks
    /// of both.
    mutating func add(_ request: BackgroundRequest) {
        guard let joined = waiting.last.flatMap({ Self.joined($0, request) }) else {
            return waiting.append(request)
        }
        waiting[waiting.count - 1] = joined
    }

    /// The next that is to be sent; `nil`: none before the reply to the last.
    ///
    /// Tasks are made first: no request is for a task that is not.
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

    /// What was sent is on the disk, or refused for good.
    mutating func replyReceived() {
        sent = nil
    }

    /// What was sent is not on the disk, or that is not known: it is to be sent once more.
    mutating func takeBack() {
        switch sent {
        case .make(let records, _)?: makes = records + makes
        case let request?: waiting.insert(request, at: 0)
        case nil: break
        }
        sent = nil
    }

    /// One request in the place of two; `nil` where they are not alike, or for too many tasks.
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
